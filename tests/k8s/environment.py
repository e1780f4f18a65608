"""A container's environment, put together as Kubernetes does it."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from tests.k8s.manifests import named, of_kind, server

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.k8s.manifests import Manifest


def environment_of(variant: str, secrets: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """What the server's process gets. ``secrets``: those that an operator makes by hand, by name and key.

    Raises:
        KeyError: a reference that leads nowhere.
    """
    container = server(variant)
    found = settings_of(variant)
    for variable in container.get("env", ()):
        if "value" in variable:
            # Only what was defined before is put in; what is not stays as it is written.
            found[variable["name"]] = re.sub(
                r"\$\((\w+)\)", lambda match: found.get(match[1], match[0]), variable["value"]
            )
        else:
            asked = variable["valueFrom"]["secretKeyRef"]
            found[variable["name"]] = {**made(variant), **secrets}[asked["name"]][asked["key"]]
    return found


def settings_of(variant: str) -> dict[str, str]:
    """The server's settings that are no secret."""
    found: dict[str, str] = {}
    for source in server(variant).get("envFrom", ()):
        found |= named(variant, "ConfigMap", source["configMapRef"]["name"])["data"]
    return found


def made(variant: str) -> dict[str, dict[str, str]]:
    """The Secrets that the variant brings along, decoded."""
    return {
        secret["metadata"]["name"]: {key: base64.b64decode(value).decode() for key, value in secret["data"].items()}
        for secret in of_kind(variant, "Secret")
    }


def references(container: Manifest) -> list[tuple[str, str]]:
    """Name and key of each Secret that a container asks for."""
    return [
        (variable["valueFrom"]["secretKeyRef"]["name"], variable["valueFrom"]["secretKeyRef"]["key"])
        for variable in container.get("env", ())
        if "secretKeyRef" in variable.get("valueFrom", {})
    ]
