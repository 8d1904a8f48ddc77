// Response schemas of buckets, folders and files.

import { z } from 'zod'
import { RULES } from '../../domain/folder-rules.ts'
import { count, fields, folderRulesOf, id, isoTime } from '../fields.ts'
import { accessLevel } from './enumerations.ts'

export const bucketShape = fields({
  id,
  name: z.string(),
  game: id,
  bytes_used: count,
  files: count,
  max_bytes: count,
  max_files: count,
  player_max_bytes: count,
  player_max_files: count,
  max_file_bytes: count,
  monthly_download_bytes: count,
  downloaded_this_month: count,
}).meta({ id: 'Bucket' })

export const bucketsShape = fields({
  buckets: z.array(fields({ id, name: z.string() }).meta({ id: 'BucketName' })),
}).meta({ id: 'BucketList' })

/** An access level for each rule. */
export const rulesShape = folderRulesOf(accessLevel).meta({ id: 'FolderRules' })

const folderFields = { path: z.string(), name: z.string(), creator: id.nullable(), created: isoTime }
export const folderShape = fields(folderFields).meta({ id: 'Folder' })
export const ruledFolderShape = fields({
  ...folderFields,
  rules: rulesShape,
  child_rules: rulesShape.nullable().describe('Initial rules of new folders inside; null: a copy of `rules`.'),
}).meta({ id: 'RuledFolder' })

const fileFields = {
  id,
  path: z.string(),
  name: z.string(),
  size: count,
  content_type: z.string(),
  sha256: z.string().nullable(),
  creator: id.nullable(),
  created: isoTime,
  updated: isoTime,
}
export const fileShape = fields(fileFields).meta({ id: 'File' })

export const downloadShape = fields({
  ...fileFields,
  url: z.string().meta({ description: 'Returns the bytes, without a token.' }),
  expires_in: count.meta({ description: 'Seconds.' }),
}).meta({ id: 'Download' })

export const listingShape = fields({
  path: z.string(),
  folders: z.array(folderShape).nullable().describe('Null where the caller may not see them.'),
  folder_count: count.nullable(),
  files: z.array(fileShape).nullable().describe('Null where the caller may not see them.'),
  file_count: count.nullable(),
  offset: count,
  limit: count,
}).meta({ id: 'FolderContents' })

export const begunUploadShape = fields({
  upload_id: id,
  method: z.literal('PUT'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  expires_in: count.meta({ description: 'Seconds.' }),
}).meta({ id: 'Upload' })

export const explainedShape = fields({
  path: z.string(),
  player: id.nullable(),
  folder: z.string().describe('The folder whose rules decide.'),
  exists: z.boolean().describe('Whether there is a file, or folder, at the path.'),
  rules: z.array(
    fields({
      rule: z.enum(RULES),
      level: accessLevel,
      admitted: z.boolean(),
      why: z.string(),
    }).meta({ id: 'ExplainedRule' }),
  ),
}).meta({ id: 'ExplainedAccess' })
