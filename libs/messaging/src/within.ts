/** What `work` resolves to, or `otherwise` when that takes longer than `limitMs`. */
export async function withinMs<T>(limitMs: number, work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(resolve, limitMs, otherwise)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
