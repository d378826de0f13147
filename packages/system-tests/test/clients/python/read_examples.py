"""Reads the example responses of an OpenAPI document through the generated client, and prints those that differ."""

import importlib
import json
import pkgutil
import re
import sys

import httpx
import lobbystats_client.api
from lobbystats_client import Client


def modules_of(package):
    """Yields the modules of a package with their names."""
    for module in pkgutil.iter_modules(package.__path__):
        yield module.name, importlib.import_module(f"{package.__name__}.{module.name}")


def plain(value):
    """Converts models to JSON values."""
    if isinstance(value, list):
        return [plain(element) for element in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


functions = {name: module for _, group in modules_of(lobbystats_client.api) for name, module in modules_of(group)}
client = Client(base_url="http://unused.example")
read, differing = [], []
for path in json.load(open(sys.argv[1]))["paths"].values():
    for operation in path.values():
        operation_id = operation["operationId"]
        module = functions[re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", operation_id).lower()]
        content = operation["responses"]["200"]["content"].get("application/json", {})
        for example in content.get("examples", {}).values():
            response = httpx.Response(200, json=example["value"])
            parsed = module._parse_response(client=client, response=response)
            (read if plain(parsed) == example["value"] else differing).append(operation_id)

print(json.dumps({"read": read, "differing": differing}))
