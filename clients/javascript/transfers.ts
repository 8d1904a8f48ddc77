// Complete uploads and downloads, which resume after lost connections and server restarts. For bytes in memory, and
// with callbacks for streams.

import { fetchInto, type Sink } from './fetch-file.ts'
import type { Download, StoredFile } from './file-shapes.ts'
import type { Persistence } from './persist.ts'
import { type SendBytes, sendBy, sendFile, type UploadSteps } from './send-file.ts'

export type { Sink } from './fetch-file.ts'
export { TransferFault } from './fetch-file.ts'
export type { SendBytes } from './send-file.ts'

export interface FileToSend {
  readonly path: string
  readonly size: number
  readonly content_type?: string
  readonly sha256?: string
}

export interface TransferCalls {
  /** Uploads bytes in memory, with their sha256. An existing path is overwritten. */
  uploadFile(
    bucket: string,
    path: string,
    content: Blob,
    options?: Persistence & { readonly contentType?: string },
  ): Promise<StoredFile>
  /** Downloads into memory. Rejects with TransferFault if the bytes are not those of the file. */
  downloadFile(
    bucket: string,
    path: string,
    options?: Persistence,
  ): Promise<{ readonly file: StoredFile; readonly bytes: Blob }>
  /**
   * Uploads with `send`, which sends the bytes to the link. It is called again, from the first byte, if the connection
   * was cut.
   */
  sendFile(bucket: string, file: FileToSend, send: SendBytes, options?: Persistence): Promise<StoredFile>
  /** Downloads into a sink; resumes by range requests, and verifies length and sha256. */
  fetchInto(bucket: string, path: string, sink: Sink, options?: Persistence): Promise<StoredFile>
}

export interface TransferSteps extends UploadSteps {
  download(bucket: string, path: string): Promise<Download>
}

export function transferCalls(steps: TransferSteps): TransferCalls {
  const send: TransferCalls['sendFile'] = (bucket, file, by, options = {}) =>
    sendFile(steps, { bucket, file, send: by }, options)
  const into: TransferCalls['fetchInto'] = (bucket, path, sink, options = {}) =>
    fetchInto(() => steps.download(bucket, path), sink, options)
  return {
    sendFile: send,
    fetchInto: into,
    async uploadFile(bucket, path, content, { contentType, ...options } = {}) {
      const type = contentType ?? (content.type === '' ? undefined : content.type)
      const sha256 = await hexOf(await content.arrayBuffer())
      const about = { path, size: content.size, sha256, ...(type === undefined ? {} : { content_type: type }) }
      return send(bucket, about, sendBy(content), options)
    },
    async downloadFile(bucket, path, options = {}) {
      let parts: Uint8Array<ArrayBuffer>[] = []
      const bytes = () => new Blob(parts)
      const file = await into(
        bucket,
        path,
        {
          length: 0,
          version: null,
          // Bytes of a fetch are never shared with another thread.
          write: async (part) => void parts.push(part as Uint8Array<ArrayBuffer>),
          restart: async () => {
            parts = []
          },
          sha256: async () => hexOf(await bytes().arrayBuffer()),
        },
        options,
      )
      return { file, bytes: bytes() }
    },
  }
}

async function hexOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
