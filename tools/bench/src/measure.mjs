// What one run of a command cost, by the operating system's accounting.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const probe = new URL('./probe.mjs', import.meta.url).href;

/** Runs `node` with these arguments. Resolves with wall and CPU seconds and the peak resident memory in megabytes. */
export async function measure(args, { cwd, env = {} } = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', probe, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let told = '';
  child.stdio[3].on('data', chunk => (told += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(told);
  return {
    wall: (performance.now() - started) / 1000,
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    peakMb: maxRSS / 1024,
  };
}

/** Starts the bench server. Resolves with its address and a way to stop it. */
export async function startServer(delay) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./serve.mjs', import.meta.url)), String(delay)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => child.kill() };
}
