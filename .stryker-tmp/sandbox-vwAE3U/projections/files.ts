// The view of folders and files, by bucket and path key. Existence is checked on the way down from the root: each
// document names the id of its parent folder. Folders count their children, so that no list has to.
function stryNS_9fa48() {
  var g = typeof globalThis === 'object' && globalThis && globalThis.Math === Math && globalThis || new Function("return this")();
  var ns = g.__stryker__ || (g.__stryker__ = {});
  if (ns.activeMutant === undefined && g.process && g.process.env && g.process.env.__STRYKER_ACTIVE_MUTANT__) {
    ns.activeMutant = g.process.env.__STRYKER_ACTIVE_MUTANT__;
  }
  function retrieveNS() {
    return ns;
  }
  stryNS_9fa48 = retrieveNS;
  return retrieveNS();
}
stryNS_9fa48();
function stryCov_9fa48() {
  var ns = stryNS_9fa48();
  var cov = ns.mutantCoverage || (ns.mutantCoverage = {
    static: {},
    perTest: {}
  });
  function cover() {
    var c = cov.static;
    if (ns.currentTestId) {
      c = cov.perTest[ns.currentTestId] = cov.perTest[ns.currentTestId] || {};
    }
    var a = arguments;
    for (var i = 0; i < a.length; i++) {
      c[a[i]] = (c[a[i]] || 0) + 1;
    }
  }
  stryCov_9fa48 = cover;
  cover.apply(null, arguments);
}
function stryMutAct_9fa48(id) {
  var ns = stryNS_9fa48();
  function isActive(id) {
    if (ns.activeMutant === id) {
      if (ns.hitCount !== void 0 && ++ns.hitCount > ns.hitLimit) {
        throw new Error('Stryker: Hit count limit reached (' + ns.hitCount + ')');
      }
      return true;
    }
    return false;
  }
  stryMutAct_9fa48 = isActive;
  return isActive(id);
}
import type { BucketEvent } from '../domain/bucket.ts';
import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { FileDeletedData, FileOverwrittenData, FileStoredData } from '../domain/file.ts';
import type { FolderCreatedData, FolderReleasedData, FolderRulesSetData } from '../domain/folder.ts';
import { nameOf, sortKeyOf } from '../domain/paths.ts';
import { ROOT_RULES } from '../domain/rules.ts';
import { idIn, idsIn } from '../domain/streams.ts';
import type { Docs, Projection } from './projection.ts';
const ROOT_KEY = stryMutAct_9fa48("6547") ? "" : (stryCov_9fa48("6547"), 'root');
type FolderDeletedData = {
  readonly id: string;
  readonly parent: string;
  readonly parentKey: string;
};
export const files: Projection = stryMutAct_9fa48("6548") ? {} : (stryCov_9fa48("6548"), {
  name: stryMutAct_9fa48("6549") ? "" : (stryCov_9fa48("6549"), 'files'),
  version: 1,
  collections: stryMutAct_9fa48("6550") ? [] : (stryCov_9fa48("6550"), [stryMutAct_9fa48("6551") ? {} : (stryCov_9fa48("6551"), {
    name: stryMutAct_9fa48("6552") ? "" : (stryCov_9fa48("6552"), 'folders'),
    indexes: stryMutAct_9fa48("6553") ? {} : (stryCov_9fa48("6553"), {
      name: stryMutAct_9fa48("6554") ? [] : (stryCov_9fa48("6554"), [stryMutAct_9fa48("6555") ? "" : (stryCov_9fa48("6555"), 'parent'), stryMutAct_9fa48("6556") ? "" : (stryCov_9fa48("6556"), 'sort')]),
      creator: stryMutAct_9fa48("6557") ? [] : (stryCov_9fa48("6557"), [stryMutAct_9fa48("6558") ? "" : (stryCov_9fa48("6558"), 'creator')])
    })
  }), stryMutAct_9fa48("6559") ? {} : (stryCov_9fa48("6559"), {
    name: stryMutAct_9fa48("6560") ? "" : (stryCov_9fa48("6560"), 'files'),
    indexes: stryMutAct_9fa48("6561") ? {} : (stryCov_9fa48("6561"), {
      name: stryMutAct_9fa48("6562") ? [] : (stryCov_9fa48("6562"), [stryMutAct_9fa48("6563") ? "" : (stryCov_9fa48("6563"), 'folder'), stryMutAct_9fa48("6564") ? "" : (stryCov_9fa48("6564"), 'sort')]),
      own: stryMutAct_9fa48("6565") ? [] : (stryCov_9fa48("6565"), [stryMutAct_9fa48("6566") ? "" : (stryCov_9fa48("6566"), 'folder'), stryMutAct_9fa48("6567") ? "" : (stryCov_9fa48("6567"), 'creator'), stryMutAct_9fa48("6568") ? "" : (stryCov_9fa48("6568"), 'sort')]),
      creator: stryMutAct_9fa48("6569") ? [] : (stryCov_9fa48("6569"), [stryMutAct_9fa48("6570") ? "" : (stryCov_9fa48("6570"), 'creator'), stryMutAct_9fa48("6571") ? "" : (stryCov_9fa48("6571"), 'bucket')])
    })
  })]),
  takes: stryMutAct_9fa48("6572") ? [] : (stryCov_9fa48("6572"), [stryMutAct_9fa48("6573") ? "" : (stryCov_9fa48("6573"), 'BucketCreated'), stryMutAct_9fa48("6574") ? "" : (stryCov_9fa48("6574"), 'BucketDeleted'), stryMutAct_9fa48("6575") ? "" : (stryCov_9fa48("6575"), 'FolderCreated'), stryMutAct_9fa48("6576") ? "" : (stryCov_9fa48("6576"), 'FolderRulesSet'), stryMutAct_9fa48("6577") ? "" : (stryCov_9fa48("6577"), 'FolderReleased'), stryMutAct_9fa48("6578") ? "" : (stryCov_9fa48("6578"), 'FolderDeleted'), stryMutAct_9fa48("6579") ? "" : (stryCov_9fa48("6579"), 'FileStored'), stryMutAct_9fa48("6580") ? "" : (stryCov_9fa48("6580"), 'FileOverwritten'), stryMutAct_9fa48("6581") ? "" : (stryCov_9fa48("6581"), 'FileDeleted')]),
  needs(event) {
    if (stryMutAct_9fa48("6582")) {
      {}
    } else {
      stryCov_9fa48("6582");
      const id = idOf(event);
      switch (event.type) {
        case stryMutAct_9fa48("6583") ? "" : (stryCov_9fa48("6583"), 'BucketCreated'):
        case stryMutAct_9fa48("6585") ? "" : (stryCov_9fa48("6585"), 'BucketDeleted'):
          if (stryMutAct_9fa48("6584")) {} else {
            stryCov_9fa48("6584");
            return stryMutAct_9fa48("6586") ? [] : (stryCov_9fa48("6586"), [stryMutAct_9fa48("6587") ? [] : (stryCov_9fa48("6587"), [stryMutAct_9fa48("6588") ? "" : (stryCov_9fa48("6588"), 'folders'), id])]);
          }
        case stryMutAct_9fa48("6589") ? "" : (stryCov_9fa48("6589"), 'FolderRulesSet'):
        case stryMutAct_9fa48("6591") ? "" : (stryCov_9fa48("6591"), 'FolderReleased'):
          if (stryMutAct_9fa48("6590")) {} else {
            stryCov_9fa48("6590");
            return stryMutAct_9fa48("6592") ? [] : (stryCov_9fa48("6592"), [stryMutAct_9fa48("6593") ? [] : (stryCov_9fa48("6593"), [stryMutAct_9fa48("6594") ? "" : (stryCov_9fa48("6594"), 'folders'), id])]);
          }
        case stryMutAct_9fa48("6595") ? "" : (stryCov_9fa48("6595"), 'FolderCreated'):
        case stryMutAct_9fa48("6597") ? "" : (stryCov_9fa48("6597"), 'FolderDeleted'):
          if (stryMutAct_9fa48("6596")) {} else {
            stryCov_9fa48("6596");
            return stryMutAct_9fa48("6598") ? [] : (stryCov_9fa48("6598"), [stryMutAct_9fa48("6599") ? [] : (stryCov_9fa48("6599"), [stryMutAct_9fa48("6600") ? "" : (stryCov_9fa48("6600"), 'folders'), id]), stryMutAct_9fa48("6601") ? [] : (stryCov_9fa48("6601"), [stryMutAct_9fa48("6602") ? "" : (stryCov_9fa48("6602"), 'folders'), inBucket(event, unsafeCast<FolderDeletedData>(event.data).parentKey)])]);
          }
        case stryMutAct_9fa48("6604") ? "" : (stryCov_9fa48("6604"), 'FileOverwritten'):
          if (stryMutAct_9fa48("6603")) {} else {
            stryCov_9fa48("6603");
            return stryMutAct_9fa48("6605") ? [] : (stryCov_9fa48("6605"), [stryMutAct_9fa48("6606") ? [] : (stryCov_9fa48("6606"), [stryMutAct_9fa48("6607") ? "" : (stryCov_9fa48("6607"), 'files'), id])]);
          }
        default:
          if (stryMutAct_9fa48("6608")) {} else {
            stryCov_9fa48("6608");
            return stryMutAct_9fa48("6609") ? [] : (stryCov_9fa48("6609"), [stryMutAct_9fa48("6610") ? [] : (stryCov_9fa48("6610"), [stryMutAct_9fa48("6611") ? "" : (stryCov_9fa48("6611"), 'files'), id]), stryMutAct_9fa48("6612") ? [] : (stryCov_9fa48("6612"), [stryMutAct_9fa48("6613") ? "" : (stryCov_9fa48("6613"), 'folders'), inBucket(event, unsafeCast<FileStoredData>(event.data).folderKey)])]);
          }
      }
    }
  },
  handle(event, docs) {
    if (stryMutAct_9fa48("6614")) {
      {}
    } else {
      stryCov_9fa48("6614");
      const id = idOf(event);
      switch (event.type) {
        case stryMutAct_9fa48("6616") ? "" : (stryCov_9fa48("6616"), 'BucketCreated'):
          if (stryMutAct_9fa48("6615")) {} else {
            stryCov_9fa48("6615");
            return docs.put(stryMutAct_9fa48("6617") ? "" : (stryCov_9fa48("6617"), 'folders'), id, rootOf(event));
          }
        case stryMutAct_9fa48("6619") ? "" : (stryCov_9fa48("6619"), 'BucketDeleted'):
          if (stryMutAct_9fa48("6618")) {} else {
            stryCov_9fa48("6618");
            return docs.remove(stryMutAct_9fa48("6620") ? "" : (stryCov_9fa48("6620"), 'folders'), id);
          }
        case stryMutAct_9fa48("6622") ? "" : (stryCov_9fa48("6622"), 'FolderCreated'):
          if (stryMutAct_9fa48("6621")) {} else {
            stryCov_9fa48("6621");
            return folderCreated(event, docs, id);
          }
        case stryMutAct_9fa48("6624") ? "" : (stryCov_9fa48("6624"), 'FolderRulesSet'):
          if (stryMutAct_9fa48("6623")) {} else {
            stryCov_9fa48("6623");
            return rulesSet(event, docs, id);
          }
        case stryMutAct_9fa48("6626") ? "" : (stryCov_9fa48("6626"), 'FolderReleased'):
          if (stryMutAct_9fa48("6625")) {} else {
            stryCov_9fa48("6625");
            return folderReleased(event, docs, id);
          }
        case stryMutAct_9fa48("6628") ? "" : (stryCov_9fa48("6628"), 'FolderDeleted'):
          if (stryMutAct_9fa48("6627")) {} else {
            stryCov_9fa48("6627");
            return folderDeleted(event, docs, id);
          }
        case stryMutAct_9fa48("6630") ? "" : (stryCov_9fa48("6630"), 'FileStored'):
          if (stryMutAct_9fa48("6629")) {} else {
            stryCov_9fa48("6629");
            return fileStored(event, docs, id);
          }
        case stryMutAct_9fa48("6632") ? "" : (stryCov_9fa48("6632"), 'FileOverwritten'):
          if (stryMutAct_9fa48("6631")) {} else {
            stryCov_9fa48("6631");
            return fileOverwritten(event, docs, id);
          }
        case stryMutAct_9fa48("6634") ? "" : (stryCov_9fa48("6634"), 'FileDeleted'):
          if (stryMutAct_9fa48("6633")) {} else {
            stryCov_9fa48("6633");
            return fileDeleted(event, docs, id);
          }
      }
    }
  }
});

/** A null path was erased with its deleted creator. */
const nameOfPath = stryMutAct_9fa48("6635") ? () => undefined : (stryCov_9fa48("6635"), (() => {
  const nameOfPath = (path: string | null): string => (stryMutAct_9fa48("6638") ? path !== null : stryMutAct_9fa48("6637") ? false : stryMutAct_9fa48("6636") ? true : (stryCov_9fa48("6636", "6637", "6638"), path === null)) ? stryMutAct_9fa48("6639") ? "Stryker was here!" : (stryCov_9fa48("6639"), '') : nameOf(path);
  return nameOfPath;
})());

/** `<bucket>.<path key>`, the suffix of the stream's name; a bucket's own stream maps to its root folder. */
function idOf({
  type,
  stream
}: StoredEvent): string {
  if (stryMutAct_9fa48("6640")) {
    {}
  } else {
    stryCov_9fa48("6640");
    const isBuckets = stryMutAct_9fa48("6643") ? type as BucketEvent['type'] === 'BucketCreated' && type === 'BucketDeleted' : stryMutAct_9fa48("6642") ? false : stryMutAct_9fa48("6641") ? true : (stryCov_9fa48("6641", "6642", "6643"), (stryMutAct_9fa48("6645") ? type as BucketEvent['type'] !== 'BucketCreated' : stryMutAct_9fa48("6644") ? false : (stryCov_9fa48("6644", "6645"), type as BucketEvent['type'] === (stryMutAct_9fa48("6646") ? "" : (stryCov_9fa48("6646"), 'BucketCreated')))) || (stryMutAct_9fa48("6648") ? type !== 'BucketDeleted' : stryMutAct_9fa48("6647") ? false : (stryCov_9fa48("6647", "6648"), type === (stryMutAct_9fa48("6649") ? "" : (stryCov_9fa48("6649"), 'BucketDeleted')))));
    return isBuckets ? stryMutAct_9fa48("6650") ? `` : (stryCov_9fa48("6650"), `${idIn(stream)}.${ROOT_KEY}`) : idIn(stream);
  }
}
const inBucket = stryMutAct_9fa48("6651") ? () => undefined : (stryCov_9fa48("6651"), (() => {
  const inBucket = ({
    stream
  }: StoredEvent, key: string): string => stryMutAct_9fa48("6652") ? `` : (stryCov_9fa48("6652"), `${idsIn(stream)[0]}.${key}`);
  return inBucket;
})());
function rootOf(event: StoredEvent): JsonObject {
  if (stryMutAct_9fa48("6653")) {
    {}
  } else {
    stryCov_9fa48("6653");
    const [bucket] = idsIn(event.stream);
    const root = stryMutAct_9fa48("6654") ? {} : (stryCov_9fa48("6654"), {
      id: bucket,
      parent: null,
      path: stryMutAct_9fa48("6655") ? "" : (stryCov_9fa48("6655"), '/'),
      creator: null,
      rules: ROOT_RULES
    });
    return stryMutAct_9fa48("6656") ? {} : (stryCov_9fa48("6656"), {
      ...newFolder(event, bucket, ROOT_KEY, root),
      revision: stryMutAct_9fa48("6657") ? +1 : (stryCov_9fa48("6657"), -1)
    });
  }
}
type Made = Omit<FolderCreatedData, 'parent' | 'parentKey'> & {
  readonly parent: string | null;
};
function newFolder({
  meta,
  position,
  revision
}: StoredEvent, bucket: string, key: string, made: Made): JsonObject {
  if (stryMutAct_9fa48("6658")) {
    {}
  } else {
    stryCov_9fa48("6658");
    const {
      id,
      parent,
      path,
      creator,
      rules
    } = made;
    const name = nameOfPath(path);
    return stryMutAct_9fa48("6659") ? {} : (stryCov_9fa48("6659"), {
      bucket,
      key,
      id,
      parent,
      path,
      name,
      sort: sortKeyOf(name),
      creator,
      created: meta.time,
      rules,
      childRules: null,
      /**
       * Position at which its rules were set last; the rules that it gave to everything below it, and at which position.
       */
      rulesAt: position,
      given: null,
      givenAt: null,
      /** Revision of the last event of its stream. */
      revision,
      files: 0,
      folders: 0
    });
  }
}
function folderCreated(event: StoredEvent, docs: Docs, id: string): void {
  if (stryMutAct_9fa48("6660")) {
    {}
  } else {
    stryCov_9fa48("6660");
    const data = unsafeCast<FolderCreatedData>(event.data);
    docs.put(stryMutAct_9fa48("6661") ? "" : (stryCov_9fa48("6661"), 'folders'), id, newFolder(event, ...idsIn(event.stream), data));
    count(docs, inBucket(event, data.parentKey), data.parent, stryMutAct_9fa48("6662") ? "" : (stryCov_9fa48("6662"), 'folders'), 1);
  }
}
function rulesSet({
  data,
  position,
  revision
}: StoredEvent, docs: Docs, id: string): void {
  if (stryMutAct_9fa48("6663")) {
    {}
  } else {
    stryCov_9fa48("6663");
    const folder = docs.get(stryMutAct_9fa48("6664") ? "" : (stryCov_9fa48("6664"), 'folders'), id);
    const {
      folder: of,
      rules,
      childRules,
      applyToExisting
    } = unsafeCast<FolderRulesSetData>(data);
    if (stryMutAct_9fa48("6667") ? folder === null && folder.id !== of : stryMutAct_9fa48("6666") ? false : stryMutAct_9fa48("6665") ? true : (stryCov_9fa48("6665", "6666", "6667"), (stryMutAct_9fa48("6669") ? folder !== null : stryMutAct_9fa48("6668") ? false : (stryCov_9fa48("6668", "6669"), folder === null)) || (stryMutAct_9fa48("6671") ? folder.id === of : stryMutAct_9fa48("6670") ? false : (stryCov_9fa48("6670", "6671"), folder.id !== of)))) return;
    const given = applyToExisting ? stryMutAct_9fa48("6672") ? {} : (stryCov_9fa48("6672"), {
      given: stryMutAct_9fa48("6673") ? childRules && rules : (stryCov_9fa48("6673"), childRules ?? rules),
      givenAt: position
    }) : {};
    docs.put(stryMutAct_9fa48("6674") ? "" : (stryCov_9fa48("6674"), 'folders'), id, stryMutAct_9fa48("6675") ? {} : (stryCov_9fa48("6675"), {
      ...folder,
      rules,
      childRules,
      rulesAt: position,
      revision,
      ...given
    }));
  }
}
function folderReleased({
  data,
  revision
}: StoredEvent, docs: Docs, id: string): void {
  if (stryMutAct_9fa48("6676")) {
    {}
  } else {
    stryCov_9fa48("6676");
    const folder = docs.get(stryMutAct_9fa48("6677") ? "" : (stryCov_9fa48("6677"), 'folders'), id);
    const {
      id: of,
      path
    } = unsafeCast<FolderReleasedData>(data);
    if (stryMutAct_9fa48("6680") ? folder === null && folder.id !== of : stryMutAct_9fa48("6679") ? false : stryMutAct_9fa48("6678") ? true : (stryCov_9fa48("6678", "6679", "6680"), (stryMutAct_9fa48("6682") ? folder !== null : stryMutAct_9fa48("6681") ? false : (stryCov_9fa48("6681", "6682"), folder === null)) || (stryMutAct_9fa48("6684") ? folder.id === of : stryMutAct_9fa48("6683") ? false : (stryCov_9fa48("6683", "6684"), folder.id !== of)))) return;
    const name = nameOf(path);
    docs.put(stryMutAct_9fa48("6685") ? "" : (stryCov_9fa48("6685"), 'folders'), id, stryMutAct_9fa48("6686") ? {} : (stryCov_9fa48("6686"), {
      ...folder,
      path,
      name,
      sort: sortKeyOf(name),
      creator: null,
      revision
    }));
  }
}
function folderDeleted(event: StoredEvent, docs: Docs, id: string): void {
  if (stryMutAct_9fa48("6687")) {
    {}
  } else {
    stryCov_9fa48("6687");
    const data = unsafeCast<FolderDeletedData>(event.data);
    if (stryMutAct_9fa48("6690") ? docs.get('folders', id)?.id !== data.id : stryMutAct_9fa48("6689") ? false : stryMutAct_9fa48("6688") ? true : (stryCov_9fa48("6688", "6689", "6690"), (stryMutAct_9fa48("6691") ? docs.get('folders', id).id : (stryCov_9fa48("6691"), docs.get(stryMutAct_9fa48("6692") ? "" : (stryCov_9fa48("6692"), 'folders'), id)?.id)) === data.id)) docs.remove(stryMutAct_9fa48("6693") ? "" : (stryCov_9fa48("6693"), 'folders'), id);
    count(docs, inBucket(event, data.parentKey), data.parent, stryMutAct_9fa48("6694") ? "" : (stryCov_9fa48("6694"), 'folders'), stryMutAct_9fa48("6695") ? +1 : (stryCov_9fa48("6695"), -1));
  }
}
function fileStored(event: StoredEvent, docs: Docs, id: string): void {
  if (stryMutAct_9fa48("6696")) {
    {}
  } else {
    stryCov_9fa48("6696");
    const data = unsafeCast<FileStoredData>(event.data);
    const {
      id: file,
      path,
      folder,
      folderKey,
      size,
      contentType,
      sha256,
      blob,
      upload,
      creator
    } = data;
    const name = nameOfPath(path);
    const {
      time
    } = event.meta;
    const [bucket, key] = idsIn(event.stream);
    const own = stryMutAct_9fa48("6697") ? {} : (stryCov_9fa48("6697"), {
      bucket,
      key,
      id: file,
      path,
      name,
      sort: sortKeyOf(name)
    });
    const content = stryMutAct_9fa48("6698") ? {} : (stryCov_9fa48("6698"), {
      size,
      contentType,
      sha256,
      blob,
      upload
    });
    docs.put(stryMutAct_9fa48("6699") ? "" : (stryCov_9fa48("6699"), 'files'), id, stryMutAct_9fa48("6700") ? {} : (stryCov_9fa48("6700"), {
      ...own,
      folder,
      folderKey,
      ...content,
      creator,
      created: time,
      updated: time
    }));
    count(docs, inBucket(event, folderKey), folder, stryMutAct_9fa48("6701") ? "" : (stryCov_9fa48("6701"), 'files'), 1);
  }
}
function fileOverwritten({
  data,
  meta
}: StoredEvent, docs: Docs, id: string): void {
  if (stryMutAct_9fa48("6702")) {
    {}
  } else {
    stryCov_9fa48("6702");
    const file = docs.get(stryMutAct_9fa48("6703") ? "" : (stryCov_9fa48("6703"), 'files'), id);
    // The file was deleted by a later event that an interrupted write had already stored.
    if (stryMutAct_9fa48("6706") ? file !== null : stryMutAct_9fa48("6705") ? false : stryMutAct_9fa48("6704") ? true : (stryCov_9fa48("6704", "6705", "6706"), file === null)) return;
    const {
      size,
      contentType,
      sha256,
      blob,
      upload
    } = unsafeCast<FileOverwrittenData>(data);
    docs.put(stryMutAct_9fa48("6707") ? "" : (stryCov_9fa48("6707"), 'files'), id, stryMutAct_9fa48("6708") ? {} : (stryCov_9fa48("6708"), {
      ...file,
      size,
      contentType,
      sha256,
      blob,
      upload,
      updated: meta.time
    }));
  }
}
function fileDeleted(event: StoredEvent, docs: Docs, id: string): void {
  if (stryMutAct_9fa48("6709")) {
    {}
  } else {
    stryCov_9fa48("6709");
    const {
      folder,
      folderKey
    } = unsafeCast<FileDeletedData>(event.data);
    docs.remove(stryMutAct_9fa48("6710") ? "" : (stryCov_9fa48("6710"), 'files'), id);
    count(docs, inBucket(event, folderKey), folder, stryMutAct_9fa48("6711") ? "" : (stryCov_9fa48("6711"), 'files'), stryMutAct_9fa48("6712") ? +1 : (stryCov_9fa48("6712"), -1));
  }
}

/** Does not count if the folder is gone or was replaced by another one. */
function count(docs: Docs, at: string, folder: string, what: 'files' | 'folders', more: number): void {
  if (stryMutAct_9fa48("6713")) {
    {}
  } else {
    stryCov_9fa48("6713");
    const holding = docs.get(stryMutAct_9fa48("6714") ? "" : (stryCov_9fa48("6714"), 'folders'), at);
    if (stryMutAct_9fa48("6717") ? holding === null && holding.id !== folder : stryMutAct_9fa48("6716") ? false : stryMutAct_9fa48("6715") ? true : (stryCov_9fa48("6715", "6716", "6717"), (stryMutAct_9fa48("6719") ? holding !== null : stryMutAct_9fa48("6718") ? false : (stryCov_9fa48("6718", "6719"), holding === null)) || (stryMutAct_9fa48("6721") ? holding.id === folder : stryMutAct_9fa48("6720") ? false : (stryCov_9fa48("6720", "6721"), holding.id !== folder)))) return;
    docs.put(stryMutAct_9fa48("6722") ? "" : (stryCov_9fa48("6722"), 'folders'), at, stryMutAct_9fa48("6723") ? {} : (stryCov_9fa48("6723"), {
      ...holding,
      [what]: stryMutAct_9fa48("6724") ? Number(holding[what]) - more : (stryCov_9fa48("6724"), Number(holding[what]) + more)
    }));
  }
}