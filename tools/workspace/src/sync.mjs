// Writes what is derived from the packages' manifests. Run it after adding a package or a workspace dependency.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf, tsconfigOf } from './references.mjs';

const root = process.cwd();
const packages = packagesOf(root);
for (const entry of packages) writeFileSync(join(root, entry.folder, 'tsconfig.json'), tsconfigOf(entry, packages));
