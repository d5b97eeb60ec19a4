"""Language models: fetched or trained here, loaded from a folder, and what they score."""

import os
from typing import Literal, get_args

# huggingface_hub reads these once, when it is first imported, so they are set before that.
# `kasu.lm.models.hub` downloads without that library and is not affected.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

ENCODER, MASKED, CAUSAL = "encoder", "masked", "causal"  # kinds of networks
Precision = Literal["float32", "bfloat16"]  # of matrix products, in training and in scoring
Masking = Literal["whole_word", "token"]
PRECISIONS, MASKINGS = get_args(Precision), get_args(Masking)
WHERE_BFLOAT16_PAYS = (
    "bfloat16 pays on GPUs, on Intel's processors with AMX and on AMD's with AVX512-BF16"
)
