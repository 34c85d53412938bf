import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hubAuthorization } from './hub-authorization.ts';
import { cachePath, cacheRoot } from './upstream-cache.ts';

it.each([
  [{ HOLDFAST_CACHE: '/c', XDG_CACHE_HOME: '/x', HOME: '/h' }, '/c'],
  [{ HOLDFAST_CACHE: 'c' }, resolve('c')],
  [{ HOLDFAST_CACHE: '', XDG_CACHE_HOME: '/x', HOME: '/h' }, '/x/holdfast'],
  [{ XDG_CACHE_HOME: 'relative', HOME: '/h' }, '/h/.cache/holdfast'],
  [{ HOME: '/h' }, '/h/.cache/holdfast'],
  [{}, `${homedir()}/.cache/holdfast`],
])('with %j the cache is %s', (environment, expected) => {
  expect(cacheRoot(environment)).toBe(expected);
});

const sha256 = 'ab'.repeat(32);
it.each([
  [{ name: 'data/a.json', revision: 'v1', sha256 }, '/c/upstream/own/v1/data/a.json'],
  [{ name: 'a.json', revision: 'refs/pr/1' }, '/c/upstream/own/refs%2Fpr%2F1/a.json'],
  [{ name: 'a.json', sha256 }, '/c/upstream/own/abababababababab/a.json'],
  [{ name: 'a.json' }, '/c/upstream/own/unpinned/a.json'],
  [{ name: 'a/../../b' }, null],
  [{ name: '../b' }, null],
  [{ name: '/etc/passwd' }, null],
  [{ name: 'a//b' }, null],
  [{ name: './b' }, null],
  [{ name: '' }, null],
  [{ name: String.raw`a\..\b` }, null],
  [{ name: 'C:b' }, null],
  [{ name: 'a\0b' }, null],
  [{ name: 'a', revision: '..' }, null],
  [{ name: 'a', revision: '' }, null],
])('%j stands at %s', (file, expected) => {
  expect(cachePath('/c', 'own', file)).toBe(expected);
});

it.each(['..', '.', '', 'a/b'])('a dataset %j has no place', id => {
  expect(cachePath('/c', id, { name: 'a' })).toBeNull();
});

describe('HF_TOKEN', () => {
  const signedIn = [['authorization', 'Bearer hf_x']];
  it.each([
    ['https://huggingface.co/datasets/a', signedIn],
    ['https://cdn.huggingface.co/a', signedIn],
    ['http://huggingface.co/a', []],
    ['https://huggingface.co.example/a', []],
    ['https://nothuggingface.co/a', []],
    ['https://example.org/huggingface.co', []],
    ['https://huggingface.co@example.org/', []],
    ['no address', []],
  ])('for %s is %j', (url, expected) => {
    expect(hubAuthorization(url, 'hf_x\n')).toEqual(expected);
  });

  it('is not sent where it is not set', () => {
    expect(hubAuthorization('https://huggingface.co/', undefined)).toEqual([]);
    expect(hubAuthorization('https://huggingface.co/', ' ')).toEqual([]);
  });
});
