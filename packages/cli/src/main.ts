import { exits } from './exit-code.ts';
import { runProgram } from './program.ts';

// Whoever reads may have had enough, as `| head` has: that is no error. The lock of this process is taken over.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exits.done);
});

process.exitCode = await runProgram(process.argv.slice(2));
