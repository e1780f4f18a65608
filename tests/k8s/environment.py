"""Environment of a container, put together as Kubernetes does it."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from tests.k8s.manifests import named, of_kind, server

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.k8s.manifests import Manifest


def environment_of(variant: str, secrets: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the environment of the server's process. ``secrets``: those that an operator creates by hand, by name and
    key.

    Raises:
        KeyError: a reference to a missing key.
    """
    container = server(variant)
    found = settings_of(variant)
    for variable in container.get("env", ()):
        if "value" in variable:
            # Only variables that are defined before are substituted; others stay as they are written.
            found[variable["name"]] = re.sub(
                r"\$\((\w+)\)", lambda match: found.get(match[1], match[0]), variable["value"]
            )
        else:
            asked = variable["valueFrom"]["secretKeyRef"]
            found[variable["name"]] = {**made(variant), **secrets}[asked["name"]][asked["key"]]
    return found


def settings_of(variant: str) -> dict[str, str]:
    """Return the server's settings that are not secret."""
    found: dict[str, str] = {}
    for source in server(variant).get("envFrom", ()):
        found |= named(variant, "ConfigMap", source["configMapRef"]["name"])["data"]
    return found


def made(variant: str) -> dict[str, dict[str, str]]:
    """Return the Secrets that the variant contains, decoded."""
    return {
        secret["metadata"]["name"]: {key: base64.b64decode(value).decode() for key, value in secret["data"].items()}
        for secret in of_kind(variant, "Secret")
    }


def references(container: Manifest) -> list[tuple[str, str]]:
    """Return name and key of each Secret that a container refers to."""
    return [
        (variable["valueFrom"]["secretKeyRef"]["name"], variable["valueFrom"]["secretKeyRef"]["key"])
        for variable in container.get("env", ())
        if "secretKeyRef" in variable.get("valueFrom", {})
    ]
