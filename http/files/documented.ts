// The routes of the local file store in the OpenAPI document. They are served as bytes, outside the table of routes,
// and only where the file store is local.

import { z } from 'zod'
import type { Documented } from '../route.ts'

const common = {
  path: '/api/files/local/:token/',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
} as const

const TOKEN = 'WyJwdXQiLCJrM3ZxMm16dDV3eDRibjZyN3lqaGRmZ2EiXQ.7XkY2cQv0uE4b1rJm9sTnLw8pHd3fZa6gKxVqBiCeRo'

export const DOCUMENTED_FILE_ROUTES: readonly Documented[] = [
  {
    ...common,
    method: 'GET',
    summary: 'Fetch the bytes of a file',
    bytes: 'answer',
    revalidates: true,
    answers: {},
    refusals: ['range_not_satisfiable', 'download_quota_exceeded', 'busy', 'log_unavailable', 'clock_behind'],
    example: { parameters: { token: TOKEN }, answers: {} },
  },
  {
    ...common,
    method: 'PUT',
    summary: 'Send the bytes of an upload',
    bytes: 'body',
    answers: { 200: z.strictObject({}).meta({ id: 'BytesStored' }) },
    refusals: [
      ...['length_required', 'unsupported_media_type', 'size_mismatch', 'checksum_mismatch', 'already_stored'],
      ...['upload_running', 'store_full', 'files_off', 'busy', 'log_unavailable', 'clock_behind'],
    ],
    example: { parameters: { token: TOKEN }, body: 'The bytes of a file.', answers: { 200: {} } },
  },
]
