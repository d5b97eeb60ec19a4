"""The description of a dataset in the format Croissant 1.0 of MLCommons."""

import json
from pathlib import Path

import pyarrow as pa

from kasu.exports.dataset import Dataset, element_of
from kasu.exports.hub import write_hub
from kasu.files.hashes import file_hash
from kasu.files.tables import ParquetReader, write_text

CROISSANT = "croissant.json"
CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_OWN = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject",
    "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField",
    "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator",
    "source", "subField", "transform",
)  # fmt: skip
# As https://docs.mlcommons.org/croissant/docs/croissant-spec.html has it; readers warn of another
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _OWN},
}


def write_croissant(folder: Path, dataset: Dataset) -> None:
    """Write the folder of `write_hub` and its description, CROISSANT."""
    write_hub(folder, dataset)
    card = dataset.card
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": dataset.name,
        "description": f"{card.title}. {card.summary}",
        "license": dataset.licence,
        "citeAs": card.citation,
        "inLanguage": list(card.header.get("language", [])),
        "distribution": [_file(folder / f"{split}.parquet") for split in card.splits],
        "recordSet": [
            _records(split, folder / f"{split}.parquet", dataset) for split in card.splits
        ],
    }
    text = json.dumps(described, ensure_ascii=False, indent=2)
    write_text(folder / CROISSANT, f"{text}\n")


def _file(path: Path) -> dict[str, str]:
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file_hash(path),
    }


def _records(split: str, path: Path, dataset: Dataset) -> dict[str, object]:
    reader = ParquetReader(path)
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"{reader.rows} rows",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{split}/{field.name}",
                "name": field.name,
                "description": dataset.card.columns.get(field.name, ""),
                **_type(field.type),
                "source": {
                    "fileObject": {"@id": path.name},
                    "extract": {"column": field.name},
                },
            }
            for field in reader.schema
        ],
    }


def _type(column: pa.DataType) -> dict[str, object]:
    """Return the type of a column in schema.org's terms, and whether cells are lists."""
    if element := element_of(column):
        return {**_type(element), "repeated": True}
    if pa.types.is_boolean(column):
        return {"dataType": "sc:Boolean"}
    if pa.types.is_integer(column):
        return {"dataType": "sc:Integer"}
    return {"dataType": "sc:Float" if pa.types.is_floating(column) else "sc:Text"}
