import { HoldfastError } from '@holdfast/core';

/** The UPSTREAM_INVALID error for a file that the system would not open or read; anything else comes back as it is. */
export function fileProblem(path: string, cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (HoldfastError.is(cause) || typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return cause;
  return new HoldfastError('UPSTREAM_INVALID', sentence(path, code), { cause, facts: { file: path, code } });
}

function sentence(path: string, code: string): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `${path} does not exist: put the file there, or correct the path`;
    case 'EISDIR':
      return `${path} is a folder where a file is expected: name the file in it`;
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be read: change its permissions`;
    default:
      return `${path} could not be read (${code})`;
  }
}
