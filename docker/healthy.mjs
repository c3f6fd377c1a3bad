// Ends with 0 when the address answers 2xx.
const response = await fetch(process.argv[2] ?? '', { signal: AbortSignal.timeout(2500) }).catch(() => null);
process.exit(response?.ok ? 0 : 1);
