// The entry documents of one generation of a board: how a submission or a deletion changes them, whether it is new or
// replayed.
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
import type { Rules } from '../domain/board-rules.ts';
import type { Decimal } from '../domain/decimal.ts';
import { entryOfStream, type PresentEntry, reduceEntry } from '../domain/entry.ts';
import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { ScoreEvent, Submission } from '../domain/score.ts';
import { entryDocument, rankingKey } from '../ranking/key.ts';
import type { DocRef, Docs, Peek } from './projection.ts';
import { type Begun, type Standing, standingBy } from './standing.ts';

/** The entries of a board under one set of rules. */
export type Generation = {
  readonly generation: number;
  readonly rules: Rules;
};

/** What determines the id of an entry document. */
type EntryKind = Pick<Generation, 'generation'> & {
  readonly rules: Pick<Rules, 'unique'>;
};

/**
 * The visibility of a player's entries. Stored in `names` as `standing`: renaming that field would need a new view
 * version.
 */
export type Visibility = 'shown' | 'hidden' | 'gone';

/**
 * The document that a submission or a deletion concerns: on a unique board the player's entry, otherwise the
 * submission's.
 */
export function entryRef({
  meta,
  data
}: StoredEvent, {
  generation,
  rules
}: EntryKind): DocRef {
  if (stryMutAct_9fa48("6406")) {
    {}
  } else {
    stryCov_9fa48("6406");
    const {
      board = stryMutAct_9fa48("6407") ? "Stryker was here!" : (stryCov_9fa48("6407"), ''),
      player = stryMutAct_9fa48("6408") ? "Stryker was here!" : (stryCov_9fa48("6408"), '')
    } = meta;
    const submission = data.id as string;
    return stryMutAct_9fa48("6409") ? [] : (stryCov_9fa48("6409"), [stryMutAct_9fa48("6410") ? "" : (stryCov_9fa48("6410"), 'entries'), entryDocument(stryMutAct_9fa48("6411") ? {} : (stryCov_9fa48("6411"), {
      board,
      generation,
      unique: rules.unique,
      player,
      submission
    }))]);
  }
}

/** Every document that a submission or deletion concerns. */
export function entryRefs(event: StoredEvent, of: Generation, stream: readonly StoredEvent[]): readonly DocRef[] {
  if (stryMutAct_9fa48("6412")) {
    {}
  } else {
    stryCov_9fa48("6412");
    if (stryMutAct_9fa48("6415") ? of.rules.unique && stream.length === 0 : stryMutAct_9fa48("6414") ? false : stryMutAct_9fa48("6413") ? true : (stryCov_9fa48("6413", "6414", "6415"), of.rules.unique || (stryMutAct_9fa48("6417") ? stream.length !== 0 : stryMutAct_9fa48("6416") ? false : (stryCov_9fa48("6416", "6417"), stream.length === 0)))) return stryMutAct_9fa48("6418") ? [] : (stryCov_9fa48("6418"), [entryRef(event, of)]);
    return stryMutAct_9fa48("6419") ? stream.map(past => entryRef(past, of)) : (stryCov_9fa48("6419"), stream.filter(stryMutAct_9fa48("6420") ? () => undefined : (stryCov_9fa48("6420"), ({
      type
    }) => stryMutAct_9fa48("6423") ? type !== 'ScoreSubmitted' : stryMutAct_9fa48("6422") ? false : stryMutAct_9fa48("6421") ? true : (stryCov_9fa48("6421", "6422", "6423"), type === (stryMutAct_9fa48("6424") ? "" : (stryCov_9fa48("6424"), 'ScoreSubmitted'))))).map(stryMutAct_9fa48("6425") ? () => undefined : (stryCov_9fa48("6425"), past => entryRef(past, of))));
  }
}

/**
 * Whether the handler needs the player's stream up to and including this deletion. This is mostly so for deletions made
 * under rules of the other kind (unique or not).
 */
export function needsStream(event: StoredEvent, of: Generation, peek: Peek): boolean {
  if (stryMutAct_9fa48("6426")) {
    {}
  } else {
    stryCov_9fa48("6426");
    const change = reduceEntry(of.rules, presentEntry(peek(...entryRef(event, of))), unsafeCast<ScoreEvent>(event));
    return stryMutAct_9fa48("6429") ? change === 'read the stream' && change === 'remove all' : stryMutAct_9fa48("6428") ? false : stryMutAct_9fa48("6427") ? true : (stryCov_9fa48("6427", "6428", "6429"), (stryMutAct_9fa48("6431") ? change !== 'read the stream' : stryMutAct_9fa48("6430") ? false : (stryCov_9fa48("6430", "6431"), change === (stryMutAct_9fa48("6432") ? "" : (stryCov_9fa48("6432"), 'read the stream')))) || (stryMutAct_9fa48("6434") ? change !== 'remove all' : stryMutAct_9fa48("6433") ? false : (stryCov_9fa48("6433", "6434"), change === (stryMutAct_9fa48("6435") ? "" : (stryCov_9fa48("6435"), 'remove all')))));
  }
}

/** Documents of the first generation do not have the id of the submission that they show. */
function presentEntry(held: JsonObject | null): PresentEntry | null {
  if (stryMutAct_9fa48("6436")) {
    {}
  } else {
    stryCov_9fa48("6436");
    if (stryMutAct_9fa48("6439") ? held !== null : stryMutAct_9fa48("6438") ? false : stryMutAct_9fa48("6437") ? true : (stryCov_9fa48("6437", "6438", "6439"), held === null)) return null;
    const {
      id,
      best,
      score
    } = unsafeCast<{
      id: string;
      best?: string;
      score: Decimal | null;
    }>(held);
    return stryMutAct_9fa48("6440") ? {} : (stryCov_9fa48("6440"), {
      id,
      shownId: best,
      shown: (stryMutAct_9fa48("6443") ? score !== null : stryMutAct_9fa48("6442") ? false : stryMutAct_9fa48("6441") ? true : (stryCov_9fa48("6441", "6442", "6443"), score === null)) ? null : unsafeCast<Submission>(held)
    });
  }
}
export function visibilityOf(docs: Docs, player = stryMutAct_9fa48("6444") ? "Stryker was here!" : (stryCov_9fa48("6444"), '')): Visibility {
  if (stryMutAct_9fa48("6445")) {
    {}
  } else {
    stryCov_9fa48("6445");
    return (docs.get('names', player)?.standing ?? 'shown') as Visibility;
  }
}

/**
 * Applies a submission or a deletion to the documents. `stream`: the player's stream if `needsStream` returned true,
 * otherwise empty.
 */
export function applyScoreEvent(event: StoredEvent, of: Generation, docs: Docs, stream: readonly StoredEvent[]): void {
  if (stryMutAct_9fa48("6446")) {
    {}
  } else {
    stryCov_9fa48("6446");
    if (stryMutAct_9fa48("6449") ? visibilityOf(docs, event.meta.player) !== 'gone' : stryMutAct_9fa48("6448") ? false : stryMutAct_9fa48("6447") ? true : (stryCov_9fa48("6447", "6448", "6449"), visibilityOf(docs, event.meta.player) === (stryMutAct_9fa48("6450") ? "" : (stryCov_9fa48("6450"), 'gone')))) return;
    const ref = entryRef(event, of);
    const held = docs.get(...ref);
    const {
      board = stryMutAct_9fa48("6451") ? "Stryker was here!" : (stryCov_9fa48("6451"), '')
    } = event.meta;
    switch (reduceEntry(of.rules, presentEntry(held), unsafeCast<ScoreEvent>(event))) {
      case stryMutAct_9fa48("6453") ? "" : (stryCov_9fa48("6453"), 'show'):
        if (stryMutAct_9fa48("6452")) {} else {
          stryCov_9fa48("6452");
          putEntry(standingBy(event, (stryMutAct_9fa48("6456") ? held !== null : stryMutAct_9fa48("6455") ? false : stryMutAct_9fa48("6454") ? true : (stryCov_9fa48("6454", "6455", "6456"), held === null)) ? null : unsafeCast<Begun>(held), of.rules, stryMutAct_9fa48("6457") ? false : (stryCov_9fa48("6457"), true)), board, of, docs);
          break;
        }
      case stryMutAct_9fa48("6459") ? "" : (stryCov_9fa48("6459"), 'outside'):
        if (stryMutAct_9fa48("6458")) {} else {
          stryCov_9fa48("6458");
          putEntry(standingBy(event, null, of.rules, stryMutAct_9fa48("6460") ? true : (stryCov_9fa48("6460"), false)), board, of, docs);
          break;
        }
      case stryMutAct_9fa48("6462") ? "" : (stryCov_9fa48("6462"), 'remove'):
        if (stryMutAct_9fa48("6461")) {} else {
          stryCov_9fa48("6461");
          docs.remove(...ref);
          break;
        }
      case stryMutAct_9fa48("6464") ? "" : (stryCov_9fa48("6464"), 'remove all'):
        if (stryMutAct_9fa48("6463")) {} else {
          stryCov_9fa48("6463");
          for (const one of entryRefs(event, of, stream)) if (stryMutAct_9fa48("6467") ? docs.get(...one) === null : stryMutAct_9fa48("6466") ? false : stryMutAct_9fa48("6465") ? true : (stryCov_9fa48("6465", "6466", "6467"), docs.get(...one) !== null)) docs.remove(...one);
          break;
        }
      case stryMutAct_9fa48("6469") ? "" : (stryCov_9fa48("6469"), 'read the stream'):
        if (stryMutAct_9fa48("6468")) {} else {
          stryCov_9fa48("6468");
          {
            if (stryMutAct_9fa48("6470")) {
              {}
            } else {
              stryCov_9fa48("6470");
              const {
                first,
                best
              } = entryOfStream(of.rules, stream);
              const begun = stryMutAct_9fa48("6471") ? {} : (stryCov_9fa48("6471"), {
                id: String(stryMutAct_9fa48("6472") ? first.data.id : (stryCov_9fa48("6472"), first?.data.id)),
                added: stryMutAct_9fa48("6473") ? first?.meta.time && '' : (stryCov_9fa48("6473"), (stryMutAct_9fa48("6474") ? first.meta.time : (stryCov_9fa48("6474"), first?.meta.time)) ?? (stryMutAct_9fa48("6475") ? "Stryker was here!" : (stryCov_9fa48("6475"), '')))
              });
              if (stryMutAct_9fa48("6478") ? first !== null : stryMutAct_9fa48("6477") ? false : stryMutAct_9fa48("6476") ? true : (stryCov_9fa48("6476", "6477", "6478"), first === null)) docs.remove(...ref);else putEntry(standingBy(stryMutAct_9fa48("6479") ? best && first : (stryCov_9fa48("6479"), best ?? first), begun, of.rules, stryMutAct_9fa48("6482") ? best === null : stryMutAct_9fa48("6481") ? false : stryMutAct_9fa48("6480") ? true : (stryCov_9fa48("6480", "6481", "6482"), best !== null)), board, of, docs);
            }
          }
        }
    }
  }
}

/** Writes the entry of a standing; hidden if the player is banned. Does nothing if the player is deleted. */
export function putEntry(standing: Standing, board: string, of: Generation, docs: Docs): void {
  if (stryMutAct_9fa48("6483")) {
    {}
  } else {
    stryCov_9fa48("6483");
    const visibility = visibilityOf(docs, standing.player);
    if (stryMutAct_9fa48("6486") ? visibility !== 'gone' : stryMutAct_9fa48("6485") ? false : stryMutAct_9fa48("6484") ? true : (stryCov_9fa48("6484", "6485", "6486"), visibility === (stryMutAct_9fa48("6487") ? "" : (stryCov_9fa48("6487"), 'gone')))) return;
    const made = entry(standing, board, of, docs);
    docs.put(...standingRef(standing, board, of), (stryMutAct_9fa48("6490") ? visibility !== 'hidden' : stryMutAct_9fa48("6489") ? false : stryMutAct_9fa48("6488") ? true : (stryCov_9fa48("6488", "6489", "6490"), visibility === (stryMutAct_9fa48("6491") ? "" : (stryCov_9fa48("6491"), 'hidden')))) ? hidden(made) : made);
  }
}
export function standingRef({
  player,
  id
}: Standing, board: string, {
  generation,
  rules
}: Generation): DocRef {
  if (stryMutAct_9fa48("6492")) {
    {}
  } else {
    stryCov_9fa48("6492");
    return stryMutAct_9fa48("6493") ? [] : (stryCov_9fa48("6493"), [stryMutAct_9fa48("6494") ? "" : (stryCov_9fa48("6494"), 'entries'), entryDocument(stryMutAct_9fa48("6495") ? {} : (stryCov_9fa48("6495"), {
      board,
      generation,
      unique: rules.unique,
      player,
      submission: id
    }))]);
  }
}

/** The document of an entry. One that shows no submission is in no index. */
function entry(standing: Standing, board: string, {
  generation,
  rules
}: Generation, docs: Docs): JsonObject {
  if (stryMutAct_9fa48("6496")) {
    {}
  } else {
    stryCov_9fa48("6496");
    const {
      player,
      begun,
      id,
      time,
      revision,
      shown,
      member
    } = standing;
    const own = stryMutAct_9fa48("6497") ? begun?.id && id : (stryCov_9fa48("6497"), (stryMutAct_9fa48("6498") ? begun.id : (stryCov_9fa48("6498"), begun?.id)) ?? id);
    const made = stryMutAct_9fa48("6499") ? {} : (stryCov_9fa48("6499"), {
      id: own,
      // On a board that is not unique, a first-generation document already has the submission's id.
      lookup: (stryMutAct_9fa48("6502") ? shown !== null || rules.unique || generation > 1 : stryMutAct_9fa48("6501") ? false : stryMutAct_9fa48("6500") ? true : (stryCov_9fa48("6500", "6501", "6502"), (stryMutAct_9fa48("6504") ? shown === null : stryMutAct_9fa48("6503") ? true : (stryCov_9fa48("6503", "6504"), shown !== null)) && (stryMutAct_9fa48("6506") ? rules.unique && generation > 1 : stryMutAct_9fa48("6505") ? true : (stryCov_9fa48("6505", "6506"), rules.unique || (stryMutAct_9fa48("6509") ? generation <= 1 : stryMutAct_9fa48("6508") ? generation >= 1 : stryMutAct_9fa48("6507") ? false : (stryCov_9fa48("6507", "6508", "6509"), generation > 1)))))) ? own : null,
      board,
      generation,
      player,
      ranking: (stryMutAct_9fa48("6512") ? shown !== null : stryMutAct_9fa48("6511") ? false : stryMutAct_9fa48("6510") ? true : (stryCov_9fa48("6510", "6511", "6512"), shown === null)) ? null : rankingKey(board, generation),
      member,
      score: stryMutAct_9fa48("6513") ? shown?.score && null : (stryCov_9fa48("6513"), (stryMutAct_9fa48("6514") ? shown.score : (stryCov_9fa48("6514"), shown?.score)) ?? null),
      secondary: stryMutAct_9fa48("6515") ? shown?.secondary && null : (stryCov_9fa48("6515"), (stryMutAct_9fa48("6516") ? shown.secondary : (stryCov_9fa48("6516"), shown?.secondary)) ?? null),
      extra: stryMutAct_9fa48("6517") ? shown?.extra && null : (stryCov_9fa48("6517"), (stryMutAct_9fa48("6518") ? shown.extra : (stryCov_9fa48("6518"), shown?.extra)) ?? null),
      ownName: stryMutAct_9fa48("6519") ? shown?.playerName && null : (stryCov_9fa48("6519"), (stryMutAct_9fa48("6520") ? shown.playerName : (stryCov_9fa48("6520"), shown?.playerName)) ?? null),
      name: stryMutAct_9fa48("6521") ? (shown?.playerName ?? docs.get('names', player)?.name) && null : (stryCov_9fa48("6521"), (stryMutAct_9fa48("6522") ? shown?.playerName && docs.get('names', player)?.name : (stryCov_9fa48("6522"), (stryMutAct_9fa48("6523") ? shown.playerName : (stryCov_9fa48("6523"), shown?.playerName)) ?? (stryMutAct_9fa48("6524") ? docs.get('names', player).name : (stryCov_9fa48("6524"), docs.get(stryMutAct_9fa48("6525") ? "" : (stryCov_9fa48("6525"), 'names'), player)?.name)))) ?? null),
      added: stryMutAct_9fa48("6526") ? begun?.added && time : (stryCov_9fa48("6526"), (stryMutAct_9fa48("6527") ? begun.added : (stryCov_9fa48("6527"), begun?.added)) ?? time),
      updated: (stryMutAct_9fa48("6530") ? shown !== null : stryMutAct_9fa48("6529") ? false : stryMutAct_9fa48("6528") ? true : (stryCov_9fa48("6528", "6529", "6530"), shown === null)) ? null : time,
      revision
    });
    return (stryMutAct_9fa48("6533") ? generation > 1 || rules.unique : stryMutAct_9fa48("6532") ? false : stryMutAct_9fa48("6531") ? true : (stryCov_9fa48("6531", "6532", "6533"), (stryMutAct_9fa48("6536") ? generation <= 1 : stryMutAct_9fa48("6535") ? generation >= 1 : stryMutAct_9fa48("6534") ? true : (stryCov_9fa48("6534", "6535", "6536"), generation > 1)) && rules.unique)) ? stryMutAct_9fa48("6537") ? {} : (stryCov_9fa48("6537"), {
      ...made,
      best: id
    }) : made;
  }
}

/** The hidden form of an entry: not ranked and in none of the read indexes; `aside` keeps its ranking and member. */
export function hidden(entry: JsonObject): JsonObject {
  if (stryMutAct_9fa48("6538")) {
    {}
  } else {
    stryCov_9fa48("6538");
    if (stryMutAct_9fa48("6541") ? entry.aside === undefined : stryMutAct_9fa48("6540") ? false : stryMutAct_9fa48("6539") ? true : (stryCov_9fa48("6539", "6540", "6541"), entry.aside !== undefined)) return entry;
    const {
      ranking = null,
      member = null
    } = entry;
    return stryMutAct_9fa48("6542") ? {} : (stryCov_9fa48("6542"), {
      ...entry,
      ranking: null,
      member: null,
      aside: stryMutAct_9fa48("6543") ? {} : (stryCov_9fa48("6543"), {
        ranking,
        member
      })
    });
  }
}

/** The shown form of an entry, byte for byte as it was before it was hidden. */
export function shown({
  aside,
  ...entry
}: JsonObject): JsonObject {
  if (stryMutAct_9fa48("6544")) {
    {}
  } else {
    stryCov_9fa48("6544");
    return stryMutAct_9fa48("6545") ? {} : (stryCov_9fa48("6545"), {
      ...entry,
      ...unsafeCast<JsonObject>(stryMutAct_9fa48("6546") ? aside && {} : (stryCov_9fa48("6546"), aside ?? {}))
    });
  }
}