import { describe, expect, it } from 'vitest';
import { inline } from './inline.ts';

describe('text from data', () => {
  it.each([
    ['Yes/No Judgment', 'Yes/No Judgment'],
    ['v1_order', 'v1_order'],
    ['_em_ __init__', String.raw`\_em\_ \_\_init\_\_`],
    ['a|b\nc\r\nd\u2028e', String.raw`a\|b c d e`],
    ['`code` **bold** [link](x)', String.raw`\`code\` \*\*bold\*\* \[link\](x)`],
    [String.raw`a\|b`, String.raw`a\\\|b`],
    ['<script>&amp;', '&lt;script&gt;&amp;amp;'],
    ['\u0000\u001b[31m\u202e\u200b', String.raw`U+0000U+001B\[31mU+202EU+200B`],
    ['\ud800', 'U+D800'],
    ['# heading $x$ ~~y~~', String.raw`\# heading \$x\$ \~\~y\~\~`],
    ['- item', String.raw`\- item`],
    ['1. item', String.raw`1\. item`],
    ['1.2', '1.2'],
    ['é 天 😀', 'é 天 😀'],
  ])('%j is written as %s', (text, markdown) => expect(inline(text)).toBe(markdown));
});
