/** A column of a table; numbers stand at the right. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** A Markdown table. Cells are Markdown already: what comes from data has been through `inline`. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

/** Columns with these titles: the first at the left, the others at the right. */
export function columns(first: string, ...others: readonly string[]): Column[] {
  return [{ title: first }, ...others.map((title): Column => ({ title, align: 'right' }))];
}
