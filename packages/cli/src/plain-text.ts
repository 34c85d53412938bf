/** Text from outside as one line that a terminal only shows: no control sequences, no direction marks. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').toWellFormed();
}
