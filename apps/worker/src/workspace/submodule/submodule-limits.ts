/**
 * How deep submodules of submodules go, and how many a project has in all. Deeper ones, and further ones, are left
 * out.
 */
export const SUBMODULE_LIMITS = { depth: 4, count: 100 } as const;
