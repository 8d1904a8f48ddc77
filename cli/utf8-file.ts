// A file whose text is in UTF-8, as a stream of its bytes: it fails before the first line that is not valid UTF-8.

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { messageOf } from '../runtime/repeated-failures.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { quoted } from './target.ts'

const LINE_FEED = 0x0a

/**
 * The bytes of the file, of which each chunk is checked before it is read. The stream fails with UsageFault at a line
 * that is not valid UTF-8, and with CommandFault if the file cannot be read. Keeps one chunk in memory.
 */
export function utf8File(path: string): Readable {
  return Readable.from(checkedChunks(path), { objectMode: false })
}

async function* checkedChunks(path: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  try {
    for await (const bytes of chunksOf(path)) {
      // Line by line: the error of the decoder does not say where the fault is.
      for (let start = 0; start < bytes.length; ) {
        const lineFeed = bytes.indexOf(LINE_FEED, start)
        const end = lineFeed < 0 ? bytes.length : lineFeed + 1
        decoder.decode(bytes.subarray(start, end), { stream: true })
        if (lineFeed >= 0) line++
        start = end
      }
      yield bytes
    }
    // Fails if the file ends inside a character.
    decoder.decode()
  } catch (failure) {
    throw failure instanceof TypeError ? notUtf8(path, line) : failure
  }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path)
  } catch (failure) {
    throw new CommandFault(`${quoted(path)} cannot be read: ${messageOf(failure)}`)
  }
}

function notUtf8(path: string, line: number): UsageFault {
  return new UsageFault(
    `Line ${line} of ${quoted(path)} is not valid UTF-8. Neither it nor a later line is sent. ` +
      'Convert the whole file from its encoding to UTF-8, with an editor or with `iconv`.',
  )
}
