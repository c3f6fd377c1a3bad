type Given<Parameters> = { [Name in keyof Parameters]?: NonNullable<Parameters[Name]> };

/** Those of a query's parameters that have a value: what is null, undefined or empty stays out of the address. */
export function given<Parameters extends object>(parameters: Parameters): Given<Parameters> {
  const entries = Object.entries(parameters).filter(([, value]) => value != null && value !== '');
  return Object.fromEntries(entries) as Given<Parameters>;
}
