export interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string };
}
export function packagesOf(root: string): WorkspacePackage[];
export function tsconfigOf(entry: WorkspacePackage, packages: readonly WorkspacePackage[]): string;
