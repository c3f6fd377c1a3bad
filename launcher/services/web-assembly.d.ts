/** What is used of WebAssembly here: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: Record<string, object>) => { readonly exports: Record<string, () => void> };
};
