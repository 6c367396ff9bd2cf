"""Has two generators of PyPI's read rpc.discover: generators.py OPENRPC DIRECTORY.

openrpcclientgenerator makes TypeScript of it, which is left in the directory for whoever checks it; its Python is not asked for, for
it makes a method `import` of account.import, which is a word of Python's. datamodel-code-generator makes types for Python of the
components, which mypy checks.
"""

import json
import pathlib
import re
import subprocess
import sys

import openrpc
from openrpcclientgenerator import Language, generate


def main(document: str, directory: str) -> None:
    described = json.loads(pathlib.Path(document).read_text())
    place = pathlib.Path(directory)
    generate(openrpc.OpenRPC.model_validate(described), Language.TYPESCRIPT, "http://localhost/", place)
    file = next(place.rglob("models.ts"))
    models = file.read_text()
    schemas = described["components"]["schemas"]
    for name in [name for name, schema in schemas.items() if "anyOf" in schema]:
        # it refers to a union by its name, but makes no union
        models += f"\nexport type {name} = {' | '.join(each['$ref'].split('/')[-1] for each in schemas[name]['anyOf'])}\n"
    file.write_text(models)
    missing = [name for name in schemas if not re.search(rf"export (interface|type|enum|class) {name}\b", models)]
    if missing:
        sys.exit(f"openrpcclientgenerator: no model for {', '.join(missing)}")

    # it reads components at the place where OpenAPI has them
    (place / "openapi.json").write_text(
        json.dumps({"openapi": "3.1.0", "info": described["info"], "paths": {}, "components": {"schemas": schemas}})
    )
    types = place / "regd_types.py"
    subprocess.run(
        [
            *(sys.executable, "-m", "datamodel_code_generator", "--input-file-type", "openapi", "--disable-warnings"),
            *("--input", place / "openapi.json", "--output", types, "--output-model-type", "typing.TypedDict"),
            *("--target-python-version", "3.11", "--formatters", "builtin"),
        ],
        check=True,
    )
    text = types.read_text()
    missing = [name for name in schemas if not re.search(rf"^(class )?{name}\b", text, re.MULTILINE)]
    if missing:
        sys.exit(f"datamodel-code-generator: no type for {', '.join(missing)}")
    subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", place / "mypy", types], check=True)
    print(len(schemas))


main(*sys.argv[1:])
