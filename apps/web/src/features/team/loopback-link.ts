/** Whether a link leads to the machine on which it is opened, and so works on no other one. */
export function isLoopbackLink(link: string): boolean {
  const { hostname } = new URL(link);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
