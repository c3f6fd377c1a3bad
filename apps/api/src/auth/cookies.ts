import type { CookieOptions, Request, Response } from 'express';

/**
 * Names and options of one cookie. Behind TLS it has the `__Host-` prefix, with which no other host of the domain can
 * set or replace it; the prefix asks for the path `/`. Below a base path the host has other programs, which are not
 * sent it: it keeps to its path then, with the prefix `__Secure-`. Where there is no TLS, and for cookies set before,
 * the plain name holds.
 */
export class HostCookie {
  private readonly current: { name: string; options: CookieOptions };
  private readonly plain: { name: string; options: CookieOptions };

  constructor(
    name: string,
    basePath: string,
    path: string,
    private readonly isSecure: boolean,
  ) {
    this.plain = {
      name,
      options: { httpOnly: true, sameSite: 'strict', path: `${basePath}${path}`, secure: isSecure },
    };
    if (!isSecure) this.current = this.plain;
    else if (basePath === '') this.current = { name: `__Host-${name}`, options: { ...this.plain.options, path: '/' } };
    else this.current = { name: `__Secure-${name}`, options: this.plain.options };
  }

  read(request: Request): string | null {
    const cookies = (request.cookies ?? {}) as Record<string, unknown>;
    const value = cookies[this.current.name] ?? cookies[this.plain.name];
    return typeof value === 'string' ? value : null;
  }

  set(response: Response, value: string, expires: Date): void {
    response.cookie(this.current.name, value, { ...this.current.options, expires });
    this.clearPlain(response);
  }

  clear(response: Response): void {
    response.clearCookie(this.current.name, this.current.options);
    this.clearPlain(response);
  }

  private clearPlain(response: Response): void {
    const { cookies } = response.req as { cookies?: Record<string, unknown> };
    if (this.isSecure && cookies?.[this.plain.name] !== undefined)
      response.clearCookie(this.plain.name, this.plain.options);
  }
}
