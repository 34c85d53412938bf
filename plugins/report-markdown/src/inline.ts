/**
 * Text from data as Markdown that shows just this text on one line, in a table cell as well: nothing in it is markup,
 * HTML or the end of a cell, and control characters and those that turn the direction of writing are spelled out.
 */
export function inline(text: string): string {
  return (
    text
      .replace(/\r\n|[\n\r\t\u2028\u2029]/g, ' ')
      .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, character => `U+${codePoint(character)}`)
      .replace(/[\\`*[\]|~#$]/g, String.raw`\$&`)
      // Within a word an underscore is no markup: v1_order stays readable.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/^(\s*)([-+=])/, String.raw`$1\$2`)
      .replace(/^(\s*\d+)([.)])(?=\s|$)/, String.raw`$1\$2`)
  );
}

function codePoint(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}
