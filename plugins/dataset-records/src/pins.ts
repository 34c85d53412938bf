import type { UpstreamFile } from '@holdfast/core';

interface Pin {
  readonly info: { readonly id: string; readonly title: string; readonly homepage: string; readonly license: string };
  readonly files: readonly UpstreamFile[];
}

const hub = 'https://huggingface.co/datasets/KikiNLP/CanITrustYou-Jev';

/** Published files in the record format: what the dataset card says of each. Their own terms apply. */
export const pins = {
  /** The 2,000 questions of the CITY-Jev card in six versions each. */
  'city-jev': {
    info: {
      id: 'city-jev',
      title: 'CITY-Jev, published versions.jsonl',
      homepage: hub,
      license: 'no single licence; each of its ten sources keeps its own',
    },
    files: [
      {
        name: 'versions.jsonl',
        url: `${hub}/resolve/main/versions.jsonl`,
        bytes: 1_075_617_732,
        sha256: '99ed0cc30137da406f4d767e8a58d5a162e911b6371e30d8ff26e82b9b75f19d',
      },
    ],
  },
  /** The later file of 2,437 questions from 13 sources. Not comparable with the card's tables. */
  'city-jev-test-v1': {
    info: {
      id: 'city-jev-test-v1',
      title: 'CITY-Jev test-v1, published test-v1.jsonl',
      homepage: hub,
      license: 'no single licence; each of its thirteen sources keeps its own',
    },
    files: [
      {
        name: 'test-v1.jsonl',
        url: `${hub}/resolve/6d2deca3a34c8567cf3e419321a3151ad5381de0/test-v1.jsonl`,
        revision: '6d2deca3a34c8567cf3e419321a3151ad5381de0',
        sha256: '800c3815e574889fabf22b6260838cf4c8647e707667624c88f089770d9bf16b',
      },
    ],
  },
} as const satisfies Record<string, Pin>;
