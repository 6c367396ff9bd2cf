"""Asks for rpc.discover and holds the document against the OpenRPC specification; prints how many methods it has.

The models of the package openrpc say which members there are and of which types, jsonschema says what a JSON Schema is
(draft 7, which OpenRPC prescribes). The rest is here: references, and what the specification says in words.
"""

import json
import re
import sys

import jsonschema
import openrpc
import pydantic
from jsonrpcclient import Ok, parse_json, request

from lines import Lines

FREE = {"value", "data", "default"}  # members that may hold any value, so that nothing in them is a reference


def complaints(document) -> list[str]:
    if not isinstance(document, dict):
        return ["the document is no object"]
    try:
        plain = without_references(document, document)
    except LookupError as error:
        return [f"reference to nowhere: {error}"]
    return [*shape(plain), *schemas(document), *words(plain)]


def target(reference: str, document):
    """What a reference within the document names, after RFC 6901."""
    node = document
    for step in reference.removeprefix("#").split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        try:
            node = node[int(step)] if isinstance(node, list) else node[step]
        except (KeyError, IndexError, ValueError, TypeError):
            raise LookupError(reference) from None
    return node


def without_references(node, document):
    """The node with Reference Objects replaced by what they name, for the models know none."""
    if isinstance(node, list):
        return [without_references(item, document) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        return without_references(target(node["$ref"], document), document)
    opaque = FREE | {"schema", "schemas"}
    return {
        name: value if name in opaque or name.startswith("x-") else without_references(value, document)
        for name, value in node.items()
    }


def shape(plain: dict):
    """Members that are missing, of another type, or unknown."""
    plain = json.loads(json.dumps(plain))
    plain.pop("$schema", None)  # in the specification since 1.3, but not in the models
    for method in objects(plain.get("methods")):
        # Since 1.3, a method without a result is for notifications only, but the models still require a result.
        method.setdefault("result", {"name": "none", "schema": True})
    # Only jsonschema checks schemas, because the models accept only a part of them.
    for descriptor in descriptors(plain):
        if "schema" in descriptor:
            descriptor["schema"] = True
    if isinstance(named := components(plain).get("schemas"), dict):
        components(plain)["schemas"] = dict.fromkeys(named, True)

    try:
        model = openrpc.OpenRPC.model_validate_json(json.dumps(plain), strict=True)
    except pydantic.ValidationError as error:
        yield from (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        return
    yield from lost(plain, model.model_dump(mode="json", by_alias=True, exclude_unset=True), "")


def lost(given, kept, path: str):
    """What the models have dropped is unknown to OpenRPC, unless it is an extension; and null is no value there."""
    if given is None:
        yield f"{path}: null".lstrip(".")
    elif isinstance(given, list):
        for index, pair in enumerate(zip(given, kept)):
            yield from lost(*pair, f"{path}.{index}")
    elif isinstance(given, dict):
        for name, value in given.items():
            if name.startswith("x-") or name in FREE:
                continue
            if name not in kept:
                yield f"{path}.{name}: unknown member".lstrip(".")
            else:
                yield from lost(value, kept[name], f"{path}.{name}")


def schemas(document: dict):
    """Schemas that are none, and references in them to nowhere."""
    named = components(document).get("schemas", {})
    for name, schema in named.items() if isinstance(named, dict) else ():
        yield from schema_complaints(schema, f"components.schemas.{name}", document)
    for descriptor in descriptors(document):
        yield from schema_complaints(descriptor.get("schema", True), f"schema of {descriptor.get('name')}", document)


def schema_complaints(schema, where: str, document: dict):
    try:
        jsonschema.Draft7Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        yield f"{where}: {error.message}"
    open_ends = [schema]
    while open_ends:
        node = open_ends.pop()
        open_ends += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        reference = node.get("$ref") if isinstance(node, dict) else None
        if isinstance(reference, str) and reference.startswith("#"):
            try:
                target(reference, document)
            except LookupError:
                yield f"{where}: reference to nowhere: {reference}"


def words(plain: dict):
    """What the specification says in words, and what regd's callers need."""
    if not re.fullmatch(r"1\.\d+\.\d+(-.+)?", str(plain.get("openrpc"))):
        yield f"openrpc: {plain.get('openrpc')!r} is no version 1 of the specification"
    methods = objects(plain.get("methods"))
    yield from twice("methods", [method.get("name") for method in methods])
    for method in methods:
        name, params = method.get("name"), objects(method.get("params"))
        yield from twice(f"params of {name}", [param.get("name") for param in params])
        yield from twice(f"errors of {name}", [error.get("code") for error in objects(method.get("errors"))])
        required = [bool(param.get("required")) for param in params]
        if required != sorted(required, reverse=True):
            yield f"params of {name}: a required one behind an optional one"
    for name in {"rpc.ping", "registration.validate"} - {method.get("name") for method in methods}:
        yield f"methods: {name} is not there"


def twice(where: str, names: list):
    return [f"{where}: {name} is there twice" for name in {str(name) for name in names if names.count(name) > 1}]


def objects(node) -> list[dict]:
    return [item for item in node if isinstance(item, dict)] if isinstance(node, list) else []


def components(document: dict) -> dict:
    return found if isinstance(found := document.get("components"), dict) else {}


def descriptors(document: dict) -> list[dict]:
    """Every Content Descriptor Object that stands in the document itself."""
    named = components(document).get("contentDescriptors")
    return objects(list(named.values()) if isinstance(named, dict) else []) + [
        descriptor
        for method in objects(document.get("methods"))
        for descriptor in objects(method.get("params")) + objects([method.get("result")])
    ]


def main(path: str) -> None:
    asked = request("rpc.discover")
    match parse_json(Lines(path).exchange(json.dumps(asked))):
        case Ok(document, answered) if answered == asked["id"]:
            if wrong := complaints(document):
                sys.exit("\n".join(wrong))
            print(len(document["methods"]))
        case other:
            sys.exit(f"rpc.discover: {other}")


if __name__ == "__main__":
    main(sys.argv[1])
