/** A download as the browser has it: its bytes, and the name that the server gave it. */
export type ReceivedFile = { file: Blob; name: string };

/**
 * Takes the bytes of an answer and says how many have come. The browser keeps a large blob on its disk. Throws when the
 * connection was cut, as the server does with what is not whole.
 */
export async function receivedFile(
  response: Response,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<ReceivedFile> {
  let bytes = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const headers = { 'content-type': response.headers.get('content-type') ?? 'application/octet-stream' };
  return {
    file: await new Response(counted ?? null, { headers }).blob(),
    name: nameOf(response.headers.get('content-disposition') ?? ''),
  };
}

/** The name by RFC 5987, which our server always sends. */
function nameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? 'download' : decodeURIComponent(encoded);
}
