// Making and deleting folders, and setting their rules.
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
import { pathKey, ROOT_KEY } from '../credentials/path-key.ts';
import { createFolder, deleteFolder, type FolderRulesSetData, folder, folderStream, releaseFolder, setRules } from '../domain/folder.ts';
import type { FolderRules } from '../domain/rules.ts';
import type { BucketPlace } from './bucket.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';

/** A folder by its id and the key of its path. */
export interface FolderPlace extends BucketPlace {
  readonly folder: string;
  readonly key: string;
}
export interface NewFolder {
  readonly path: string;
  readonly parent: {
    readonly id: string;
    readonly key: string;
  };
  readonly creator: string | null;
  readonly rules: FolderRules;
}
const about = stryMutAct_9fa48("532") ? () => undefined : (stryCov_9fa48("532"), (() => {
  const about = ({
    bucket,
    game
  }: BucketPlace, key: string) => stryMutAct_9fa48("533") ? {} : (stryCov_9fa48("533"), {
    stream: folderStream(bucket, key),
    game
  });
  return about;
})());

/** 409 `already_exists`. */
export function makeFolder(deps: CommandDeps, place: BucketPlace, fresh: NewFolder, context: CommandContext) {
  if (stryMutAct_9fa48("534")) {
    {}
  } else {
    stryCov_9fa48("534");
    const {
      path,
      parent,
      creator,
      rules
    } = fresh;
    const key = pathKey(deps.keys.digest, place.bucket, path);
    const data = stryMutAct_9fa48("535") ? {} : (stryCov_9fa48("535"), {
      id: context.generator.id(stryMutAct_9fa48("536") ? "" : (stryCov_9fa48("536"), 'folder')),
      path,
      parent: parent.id,
      parentKey: parent.key,
      creator,
      rules
    });
    return deps.handler.handle(folder, about(place, key), context, createFolder(data));
  }
}

/** `expect` is given the revision that changed the folder last, and refuses where the caller saw another one. */
export function setFolderRules(deps: CommandDeps, place: FolderPlace, change: {
  readonly rules: Omit<FolderRulesSetData, 'folder'>;
  readonly expect: (revision: number) => void;
}, context: CommandContext) {
  if (stryMutAct_9fa48("537")) {
    {}
  } else {
    stryCov_9fa48("537");
    const {
      rules,
      expect
    } = change;
    const decision = setRules(stryMutAct_9fa48("538") ? {} : (stryCov_9fa48("538"), {
      folder: place.folder,
      ...rules
    }), stryMutAct_9fa48("541") ? place.key !== ROOT_KEY : stryMutAct_9fa48("540") ? false : stryMutAct_9fa48("539") ? true : (stryCov_9fa48("539", "540", "541"), place.key === ROOT_KEY), expect);
    return deps.handler.handle(folder, about(place, place.key), context, decision);
  }
}

/** Of a folder whose creator was deleted and that holds what others made. */
export function letFolderStay(deps: CommandDeps, place: FolderPlace, path: string, context: CommandContext) {
  if (stryMutAct_9fa48("542")) {
    {}
  } else {
    stryCov_9fa48("542");
    return deps.handler.handle(folder, about(place, place.key), context, releaseFolder(stryMutAct_9fa48("543") ? {} : (stryCov_9fa48("543"), {
      id: place.folder,
      path
    })));
  }
}

/** Everything below is gone with this; a process clears it away. 404 where it is another folder's path by now. */
export function removeFolder(deps: CommandDeps, place: FolderPlace, context: CommandContext) {
  if (stryMutAct_9fa48("544")) {
    {}
  } else {
    stryCov_9fa48("544");
    return deps.handler.handle(folder, about(place, place.key), context, deleteFolder(place.folder));
  }
}