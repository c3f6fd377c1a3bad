import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/internal';

/** The controllers of a module and of all modules that it imports by its decorator, in the order of the imports. */
export function controllersOf(root: Type): Type[] {
  return [...new Set(modulesOf(root).flatMap((module) => listIn<Type>(module, MODULE_METADATA.CONTROLLERS)))];
}

/** A module and all that it imports by its decorator, each once. */
export function modulesOf(root: Type, found = new Set<Type>()): Type[] {
  if (found.has(root)) return [];
  found.add(root);
  const imported = listIn<Type | DynamicModule>(root, MODULE_METADATA.IMPORTS);
  for (const each of imported) modulesOf('module' in each ? each.module : each, found);
  return [...found];
}

function listIn<T>(module: Type, key: string): T[] {
  return (Reflect.getMetadata(key, module) as T[] | undefined) ?? [];
}
