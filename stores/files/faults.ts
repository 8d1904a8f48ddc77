// Maps disk errors to store errors: FilesFull or StoreUnavailable.

import { StoreUnavailable } from '../contract/faults.ts'
import { FilesFull } from '../contract/files.ts'
import { isCode } from './disk.ts'

/** Maps Node's file system errors to FilesFull or StoreUnavailable; returns others unchanged. */
function diskFault(failure: unknown): unknown {
  if (isCode(failure, 'ENOSPC', 'EDQUOT', 'EFBIG')) return new FilesFull()
  const isNodes = failure instanceof Error && 'code' in failure && 'syscall' in failure
  return isNodes ? new StoreUnavailable(`The files’ disk failed: ${failure.message}`, failure) : failure
}

/** The same promise, with its error mapped by diskFault. */
export function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((failure: unknown) => {
    throw diskFault(failure)
  })
}
