/** Whether a file name is what a pattern means: `*` and `?` stay within a folder, `**` does not. */
export function matches(pattern: string, name: string): boolean {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[\\^$.|+()[\]{}]/g, token => meanings[token] ?? `\\${token}`);
  return new RegExp(`^${source}$`, 'su').test(name);
}

const meanings: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
