"""JSON Schemas of pydantic models, with the docstrings under their fields as descriptions.

Pydantic can take these docstrings itself, but then reads the source of every class whenever the class is made, which
every command would pay for. Here only a schema that is asked for does.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model (keys by alias) and of all models in it."""
    schema = model.model_json_schema(by_alias=True)
    models = {found.__name__: found for found in _subclasses(BaseModel)}
    parts: dict[str, dict[str, Any]] = {**schema.get("$defs", {}), model.__name__: schema}
    for name, part in parts.items():
        for field, text in _field_docs(models[name]) if name in models else ():
            key = models[name].model_fields[field].alias or field
            if key in part.get("properties", {}):
                part["properties"][key].setdefault("description", text)
    return schema


def _subclasses(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for found in model.__subclasses__():
        yield found
        yield from _subclasses(found)


def _field_docs(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """The fields of a model, and of those it is built on, with the text below each."""
    for base in model.__mro__:
        if not issubclass(base, BaseModel) or base is BaseModel:
            continue
        definition = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        assert isinstance(definition, ast.ClassDef)
        for field, below in zip(definition.body, definition.body[1:], strict=False):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                    if name in model.model_fields:
                        yield name, inspect.cleandoc(text)
                case _:
                    pass
