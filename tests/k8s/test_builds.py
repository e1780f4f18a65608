"""Builds of every overlay and component, checked against the Kubernetes schema."""

from __future__ import annotations

import re

import kubernetes_validate  # type: ignore[import-untyped]  # it has no types
import pytest

from tests.k8s.manifests import COMPONENTS, K8S, ROOT, VARIANTS, built

VERSIONS = ("1.32", "1.37")
"""The oldest that we name in docs/kubernetes.md and the newest that the checker knows."""

FOREIGN = {
    ("monitoring.coreos.com/v1", "ServiceMonitor"),
    ("monitoring.coreos.com/v1", "PrometheusRule"),
    ("postgresql.cnpg.io/v1", "Cluster"),
}
"""Defined by operators, so that Kubernetes has no schema of them: test_monitoring.py and test_pods.py look at ours."""


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("version", VERSIONS)
def test_manifests_match_the_kubernetes_schema(variant: str, version: str) -> None:
    for manifest in built(variant):
        if (manifest["apiVersion"], manifest["kind"]) in FOREIGN:
            continue
        # A kind that it does not know is an error here, and not left out as the command does.
        assert kubernetes_validate.validate(manifest, version, strict=True) == version


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_resource_is_declared_twice(variant: str) -> None:
    names = [(manifest["kind"], manifest["metadata"]["name"]) for manifest in built(variant)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_resource_is_in_the_namespace_of_the_overlay(variant: str) -> None:
    namespace = "zeitnot-dev" if variant == "dev" else "zeitnot"
    for manifest in built(variant):
        if manifest["kind"] == "Namespace":
            assert manifest["metadata"]["name"] == namespace
            assert manifest["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
        elif manifest["kind"] == "PriorityClass":
            assert "namespace" not in manifest["metadata"], "it is the whole cluster's"
        else:
            assert manifest["metadata"]["namespace"] == namespace, manifest["metadata"]["name"]


def test_production_offers_every_component() -> None:
    text = (K8S / "overlays" / "production" / "kustomization.yaml").read_text()
    assert sorted(re.findall(r"^# - \.\./\.\./components/([\w-]+)", text, re.MULTILINE)) == sorted(COMPONENTS)


def test_files_to_change_are_documented() -> None:
    document = (ROOT / "docs" / "kubernetes.md").read_text()
    for file in [*K8S.rglob("*.yaml"), *K8S.rglob("*.conf")]:
        if re.search(r"#.*\bCHANGE\b", file.read_text()) and file.name != "kustomization.yaml":
            assert f"`{file.name}`" in document, file
    for said in re.findall(r"`(k8s/[\w./-]+)`", document):
        assert (ROOT / said).exists(), said
