// Making, changing and deleting buckets.
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
import { type Bucket, type BucketChange, type BucketLimits, bucket, bucketStream, changeBucket, createBucket, deleteBucket } from '../domain/bucket.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import * as slots from './slots.ts';

/** A bucket, and the game it is of. */
export interface BucketPlace {
  readonly bucket: string;
  readonly game: string;
}
const about = stryMutAct_9fa48("226") ? () => undefined : (stryCov_9fa48("226"), (() => {
  const about = ({
    bucket: id,
    game
  }: BucketPlace) => stryMutAct_9fa48("227") ? {} : (stryCov_9fa48("227"), {
    stream: bucketStream(id),
    game
  });
  return about;
})());

/** 422 `too_many_buckets`. */
export async function makeBucket(deps: CommandDeps, game: string, data: {
  readonly name: string;
  readonly limits: BucketLimits;
}, context: CommandContext) {
  if (stryMutAct_9fa48("228")) {
    {}
  } else {
    stryCov_9fa48("228");
    const id = context.generator.id(stryMutAct_9fa48("229") ? "" : (stryCov_9fa48("229"), 'bucket'));
    await slots.take(deps, game, stryMutAct_9fa48("230") ? {} : (stryCov_9fa48("230"), {
      kind: stryMutAct_9fa48("231") ? "" : (stryCov_9fa48("231"), 'buckets'),
      id
    }), context);
    return stryMutAct_9fa48("232") ? {} : (stryCov_9fa48("232"), {
      id,
      handled: await deps.handler.handle(bucket, about(stryMutAct_9fa48("233") ? {} : (stryCov_9fa48("233"), {
        bucket: id,
        game
      })), context, createBucket(data))
    });
  }
}

/** `expect` refuses when the bucket is not as the caller last saw it. */
export function setBucket(deps: CommandDeps, place: BucketPlace, {
  change,
  expect
}: {
  readonly change: BucketChange;
  readonly expect: (state: Bucket) => void;
}, context: CommandContext) {
  if (stryMutAct_9fa48("234")) {
    {}
  } else {
    stryCov_9fa48("234");
    return deps.handler.handle(bucket, about(place), context, changeBucket(change, expect));
  }
}

/** What is in it is gone with this; a process clears it away. */
export async function removeBucket(deps: CommandDeps, place: BucketPlace, context: CommandContext) {
  if (stryMutAct_9fa48("235")) {
    {}
  } else {
    stryCov_9fa48("235");
    const handled = await deps.handler.handle(bucket, about(place), context, deleteBucket);
    await slots.release(deps, place.game, stryMutAct_9fa48("236") ? {} : (stryCov_9fa48("236"), {
      kind: stryMutAct_9fa48("237") ? "" : (stryCov_9fa48("237"), 'buckets'),
      id: place.bucket,
      isGone: slots.isEnding(handled)
    }), context);
    return handled;
  }
}