import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Provider, Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK, INJECTABLE_WATERMARK, MODULE_METADATA } from '@nestjs/common/internal';
import type { Config } from '@chirality/platform';
import { modulesOf } from '../core/http/controllers-of';
import { AppModule } from './app.module';
import type { Services } from './services';

const SOURCES = join(__dirname, '..');

/** Every class that a source file exports, with its folder. */
const classes = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && file !== 'main.ts')
    .flatMap((file) => exportsOf(file).map((exported) => [exported, dirname(file)] as const)),
);
const modules = [...classes.keys()].filter((each) => /Module$/.test(each.name));

/** What the modules list of these classes. */
const listed = modules.flatMap((module) =>
  [...listIn<Type>(module, MODULE_METADATA.CONTROLLERS), ...listIn<Provider>(module, MODULE_METADATA.PROVIDERS)]
    .map((each) => (typeof each === 'function' ? each : (each.provide as Type)))
    .filter((each) => classes.has(each))
    .map((each) => ({ name: each.name, stands: classes.get(each), listedIn: classes.get(module) })),
);

describe('the modules of the api', () => {
  it('list every controller and provider of their folder, once', () => {
    const parts = [...classes].filter(([each]) => isPart(each)).map(([{ name }, folder]) => `${folder}/${name}`);
    expect(parts.length).toBeGreaterThan(80);
    const inModules = listed.map(({ name, listedIn }) => `${listedIn}/${name}`);
    expect(parts.filter((part) => inModules.filter((each) => each === part).length !== 1)).toEqual([]);
  });

  it('list nothing of another folder', () => {
    expect(listed.filter(({ stands, listedIn }) => stands !== listedIn)).toEqual([]);
  });

  it('are all reached from the top one, which is a table of contents', () => {
    expect(modulesOf(AppModule).filter((module) => classes.has(module))).toEqual(expect.arrayContaining(modules));
    const config = { secretKey: Buffer.alloc(32), previousSecretKeys: [] as Buffer[] } as Config;
    expect(Object.keys(AppModule.forRoot({ config } as Services)).sort()).toEqual(['imports', 'module']);
    expect(Reflect.getMetadataKeys(AppModule)).toEqual([MODULE_METADATA.IMPORTS]);
  });
});

function exportsOf(file: string): Type[] {
  const exported = Object.values(jest.requireActual<Record<string, unknown>>(join(SOURCES, file)));
  return exported.filter((value): value is Type => typeof value === 'function' && /^class\b/.test(String(value)));
}

/** Guards and interceptors stand where they are used. */
function isPart(each: Type): boolean {
  const isMarked = [CONTROLLER_WATERMARK, INJECTABLE_WATERMARK].some((mark) => Reflect.hasOwnMetadata(mark, each));
  return isMarked && !('canActivate' in each.prototype) && !('intercept' in each.prototype);
}

function listIn<T>(module: Type, key: string): T[] {
  return (Reflect.getMetadata(key, module) as T[] | undefined) ?? [];
}
