import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner } from '@nestjs/core';
import { routeNotes, type RouteNotes } from './route-notes';

export type Route = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  name: string;
  noun: string;
  notes: RouteNotes;
};

/** Every route of these controllers, read from their decorators, sorted by path and method. */
export function routeTable(controllers: readonly Type[]): Route[] {
  const scanner = new MetadataScanner();
  const routes = controllers.flatMap((controller) => {
    const prototype = controller.prototype as Record<string, object>;
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      const verb = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
      if (!handler || verb === undefined) return [];
      const own = Reflect.getMetadata(PATH_METADATA, handler) as string;
      return [
        {
          method: methodName(verb),
          path: joinPath(base, own),
          name,
          noun: controller.name.replace(/Controller$/, ''),
          notes: routeNotes(handler),
        },
      ];
    });
  });
  return routes.sort((a, b) => (a.path === b.path ? compare(a.method, b.method) : compare(a.path, b.path)));
}

function methodName(verb: RequestMethod): Route['method'] {
  return RequestMethod[verb].toLowerCase() as Route['method'];
}

function joinPath(base: string, own: string): string {
  return `/${[base, own]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter(Boolean)
    .join('/')}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
