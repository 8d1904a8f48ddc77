// Buckets, folders and files in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const BUCKETS = '/api/gm/:game/buckets/'
const BUCKET = '/api/bkt/:bucket/'
const LOCAL = '/api/files/local/:token/'

export const FILES: OperationGroup = {
  name: 'Files',
  description: 'Buckets, folders with rules, and files.',
  operations: {
    [`GET ${BUCKETS}`]: { id: 'listBuckets', description: 'Ids and names of all buckets of the game.' },
    [`POST ${BUCKETS}`]: {
      id: 'createBucket',
      description: 'Limits that are left out get defaults. Its root folder admits nobody until you set its rules.',
    },
    [`GET ${BUCKET}`]: { id: 'getBucket', description: 'Its limits, and how much of them is used.' },
    [`PUT ${BUCKET}`]: {
      id: 'updateBucket',
      description: 'Fields that are left out keep their values. A lower limit removes nothing that is stored already.',
    },
    [`DELETE ${BUCKET}`]: {
      id: 'deleteBucket',
      description: 'Removes the bucket with all folders and files at once. This cannot be undone.',
    },
    [`GET ${BUCKET}ls/`]: {
      id: 'listFolder',
      description:
        'Folders and files in the order of their names; `limit` and `offset` apply to each of the two lists. A list that the ' +
        'caller may not see is null.',
    },
    [`POST ${BUCKET}dir/`]: {
      id: 'createFolder',
      description:
        'It gets the `child_rules` of its parent folder, or its `rules` if those are null. The parent must exist.',
    },
    [`DELETE ${BUCKET}dir/`]: {
      id: 'deleteFolder',
      description: 'With `recursive=1` also everything below it, at once. The root folder cannot be deleted.',
    },
    [`GET ${BUCKET}dir/rules/`]: {
      id: 'getFolderRules',
      description: 'Send the ETag of the answer in If-Match to change exactly this state.',
    },
    [`PUT ${BUCKET}dir/rules/`]: {
      id: 'setFolderRules',
      description:
        'Sets who may do what in this folder, and which rules new folders inside begin with. `apply_to_existing` sets the rules of ' +
        'every folder below, at once.',
    },
    [`GET ${BUCKET}file/`]: { id: 'getFile', description: 'Size, type, hash and times of a file, without its bytes.' },
    [`DELETE ${BUCKET}file/`]: { id: 'deleteFile', description: 'Removes the file and frees its space in the quota.' },
    [`GET ${BUCKET}download/`]: {
      id: 'getDownloadLink',
      description: 'A link that returns the bytes without a token until it expires. It supports Range requests.',
    },
    [`GET ${BUCKET}explain/`]: {
      id: 'explainAccess',
      description:
        'For each of the seven rules: its level, whether it admits the player (or a caller without one), and why.',
    },
    [`POST ${BUCKET}upload/`]: {
      id: 'startUpload',
      description:
        'Reserves the space and answers a link. Send exactly `size` bytes there with the given method and headers, then complete the ' +
        'upload. ' +
        'An existing file at the path is replaced on completion.',
    },
    [`POST ${BUCKET}upload/:upload/complete/`]: {
      id: 'completeUpload',
      description:
        'Makes the uploaded bytes the file. Rules and limits are checked again. Repeating it answers the same file.',
    },
    [`GET ${LOCAL}`]: {
      id: 'fetchBytes',
      description:
        'The `url` of `getDownloadLink`, where the file store is local. Its content type is that of the file. Send no bearer token.',
    },
    [`PUT ${LOCAL}`]: {
      id: 'sendBytes',
      description:
        'The `url` of `startUpload`, where the file store is local. Send exactly the announced bytes with its headers and no bearer ' +
        'token. One request sends at a time: another one takes over if bytes are missing there and none has arrived for 5 seconds. ' +
        'Sending the same bytes again answers the same.',
    },
  },
}
