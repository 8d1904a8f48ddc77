// The fold of a board's history, cut into the ranges of a build: which entries show a submission of which range.
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
import type { BoardFold } from '../board-fold/board-fold.ts';
import type { EntryRow } from '../board-fold/row.ts';
import type { Rules } from '../domain/board-rules.ts';
import { type Position, type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { EventReference } from '../domain/event-reference.ts';
import { isoOf } from '../domain/iso.ts';
import { type ScoreSubmittedData, scoreStream } from '../domain/score.ts';
import { fieldsOfMember } from '../ranking/member-fields.ts';
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts';
import type { History } from '../stores/contract/history.ts';
import type { Log } from '../stores/contract/log.ts';
import type { Standing } from './standing.ts';

/** A page of the history as it was read. */
export interface Page {
  readonly end: EventReference;
  readonly endAt: Position;
  readonly events: number;
}

/**
 * The number of the page that contains a position: the first page that ends at or after it, or else the page being
 * read.
 */
export function pageOf(pages: readonly Page[], position: Position): number {
  if (stryMutAct_9fa48("6905")) {
    {}
  } else {
    stryCov_9fa48("6905");
    let [low, high] = stryMutAct_9fa48("6906") ? [] : (stryCov_9fa48("6906"), [0, pages.length]);
    while (stryMutAct_9fa48("6909") ? low >= high : stryMutAct_9fa48("6908") ? low <= high : stryMutAct_9fa48("6907") ? false : (stryCov_9fa48("6907", "6908", "6909"), low < high)) {
      if (stryMutAct_9fa48("6910")) {
        {}
      } else {
        stryCov_9fa48("6910");
        const middle = (stryMutAct_9fa48("6911") ? low - high : (stryCov_9fa48("6911"), low + high)) >> 1;
        if (stryMutAct_9fa48("6915") ? (pages[middle]?.endAt ?? '') >= position : stryMutAct_9fa48("6914") ? (pages[middle]?.endAt ?? '') <= position : stryMutAct_9fa48("6913") ? false : stryMutAct_9fa48("6912") ? true : (stryCov_9fa48("6912", "6913", "6914", "6915"), (stryMutAct_9fa48("6916") ? pages[middle]?.endAt && '' : (stryCov_9fa48("6916"), (stryMutAct_9fa48("6917") ? pages[middle].endAt : (stryCov_9fa48("6917"), pages[middle]?.endAt)) ?? (stryMutAct_9fa48("6918") ? "Stryker was here!" : (stryCov_9fa48("6918"), '')))) < position)) low = stryMutAct_9fa48("6919") ? middle - 1 : (stryCov_9fa48("6919"), middle + 1);else high = middle;
      }
    }
    return low;
  }
}

/** Slots handled between two yields to the event loop. */
const SLOTS_AT_ONCE = 20_000;
/** Submissions read from the log concurrently. */
const READ_AT_ONCE = 16;
/**
 * A page of the history is read as a whole if at least this share of its events is needed; below it, reading them one
 * by one costs less.
 */
const WHOLE_FROM = 0.2;
/** A range has at most this many events, however few entries that makes. */
const MAX_RANGE_EVENTS = 50_000;
interface Made {
  readonly log: Pick<Log, 'readStream'>;
  readonly part: History['part'];
  readonly board: string;
  readonly pages: readonly Page[];
  readonly fold: BoardFold;
  /** The first past event that cannot be applied under these rules, with the reason; null if all can. */
  readonly broken: {
    readonly past: string;
    readonly reason: string;
  } | null;
}
export class FoldedHistory {
  readonly broken: Made['broken'];
  readonly #made: Pick<Made, 'log' | 'part' | 'board' | 'pages'>;
  readonly #rows: BoardFold['rows'];
  readonly #rules: Rules;
  /** All slots in the order of their pages, and the index at which each page begins. */
  readonly #slots: Uint32Array;
  readonly #begins: Uint32Array;
  private constructor({
    log,
    part,
    board,
    pages,
    fold,
    broken
  }: Made, slots: Uint32Array, begins: Uint32Array) {
    if (stryMutAct_9fa48("6920")) {
      {}
    } else {
      stryCov_9fa48("6920");
      this.#made = stryMutAct_9fa48("6921") ? {} : (stryCov_9fa48("6921"), {
        log,
        part,
        board,
        pages
      });
      this.broken = broken;
      this.#rows = fold.rows;
      this.#rules = fold.rules;
      this.#slots = slots;
      this.#begins = begins;
    }
  }
  static async of(made: Made): Promise<FoldedHistory> {
    if (stryMutAct_9fa48("6922")) {
      {}
    } else {
      stryCov_9fa48("6922");
      const {
        rows,
        pages
      } = made.fold;
      const begins = new Uint32Array(stryMutAct_9fa48("6923") ? made.pages.length - 2 : (stryCov_9fa48("6923"), made.pages.length + 2));
      for (let slot = 0; stryMutAct_9fa48("6926") ? slot >= rows.length : stryMutAct_9fa48("6925") ? slot <= rows.length : stryMutAct_9fa48("6924") ? false : (stryCov_9fa48("6924", "6925", "6926"), slot < rows.length); stryMutAct_9fa48("6927") ? slot-- : (stryCov_9fa48("6927"), slot++)) {
        if (stryMutAct_9fa48("6928")) {
          {}
        } else {
          stryCov_9fa48("6928");
          if (stryMutAct_9fa48("6931") ? slot % SLOTS_AT_ONCE !== SLOTS_AT_ONCE - 1 : stryMutAct_9fa48("6930") ? false : stryMutAct_9fa48("6929") ? true : (stryCov_9fa48("6929", "6930", "6931"), (stryMutAct_9fa48("6932") ? slot * SLOTS_AT_ONCE : (stryCov_9fa48("6932"), slot % SLOTS_AT_ONCE)) === (stryMutAct_9fa48("6933") ? SLOTS_AT_ONCE + 1 : (stryCov_9fa48("6933"), SLOTS_AT_ONCE - 1)))) await yieldToEventLoop();
          // Counts at index page + 2: filling the slots below moves each count to the beginning of its page.
          if (stryMutAct_9fa48("6935") ? false : stryMutAct_9fa48("6934") ? true : (stryCov_9fa48("6934", "6935"), rows.isThere(slot))) stryMutAct_9fa48("6936") ? (begins[pages.at(slot) + 2] as number)-- : (stryCov_9fa48("6936"), (begins[pages.at(slot) + 2] as number)++);
        }
      }
      for (let page = 2; stryMutAct_9fa48("6939") ? page >= begins.length : stryMutAct_9fa48("6938") ? page <= begins.length : stryMutAct_9fa48("6937") ? false : (stryCov_9fa48("6937", "6938", "6939"), page < begins.length); stryMutAct_9fa48("6940") ? page-- : (stryCov_9fa48("6940"), page++)) stryMutAct_9fa48("6941") ? (begins[page] as number) -= begins[page - 1] as number : (stryCov_9fa48("6941"), (begins[page] as number) += begins[page - 1] as number);
      const slots = new Uint32Array(stryMutAct_9fa48("6942") ? begins.at(-1) && 0 : (stryCov_9fa48("6942"), begins.at(stryMutAct_9fa48("6943") ? +1 : (stryCov_9fa48("6943"), -1)) ?? 0));
      for (let slot = 0; stryMutAct_9fa48("6946") ? slot >= rows.length : stryMutAct_9fa48("6945") ? slot <= rows.length : stryMutAct_9fa48("6944") ? false : (stryCov_9fa48("6944", "6945", "6946"), slot < rows.length); stryMutAct_9fa48("6947") ? slot-- : (stryCov_9fa48("6947"), slot++)) {
        if (stryMutAct_9fa48("6948")) {
          {}
        } else {
          stryCov_9fa48("6948");
          if (stryMutAct_9fa48("6951") ? slot % SLOTS_AT_ONCE !== SLOTS_AT_ONCE - 1 : stryMutAct_9fa48("6950") ? false : stryMutAct_9fa48("6949") ? true : (stryCov_9fa48("6949", "6950", "6951"), (stryMutAct_9fa48("6952") ? slot * SLOTS_AT_ONCE : (stryCov_9fa48("6952"), slot % SLOTS_AT_ONCE)) === (stryMutAct_9fa48("6953") ? SLOTS_AT_ONCE + 1 : (stryCov_9fa48("6953"), SLOTS_AT_ONCE - 1)))) await yieldToEventLoop();
          if (stryMutAct_9fa48("6955") ? false : stryMutAct_9fa48("6954") ? true : (stryCov_9fa48("6954", "6955"), rows.isThere(slot))) slots[stryMutAct_9fa48("6956") ? (begins[pages.at(slot) + 1] as number)-- : (stryCov_9fa48("6956"), (begins[pages.at(slot) + 1] as number)++)] = slot;
        }
      }
      return new FoldedHistory(made, slots, begins);
    }
  }

  /** Number of events folded. */
  get events(): number {
    if (stryMutAct_9fa48("6957")) {
      {}
    } else {
      stryCov_9fa48("6957");
      return this.#made.pages.reduce(stryMutAct_9fa48("6958") ? () => undefined : (stryCov_9fa48("6958"), (sum, {
        events
      }) => stryMutAct_9fa48("6959") ? sum - events : (stryCov_9fa48("6959"), sum + events)), 0);
    }
  }

  /** The end of the history; null if it was empty. */
  get end(): {
    readonly place: EventReference;
    readonly position: Position;
  } | null {
    if (stryMutAct_9fa48("6960")) {
      {}
    } else {
      stryCov_9fa48("6960");
      const last = this.#made.pages.at(stryMutAct_9fa48("6961") ? +1 : (stryCov_9fa48("6961"), -1));
      return (stryMutAct_9fa48("6964") ? last !== undefined : stryMutAct_9fa48("6963") ? false : stryMutAct_9fa48("6962") ? true : (stryCov_9fa48("6962", "6963", "6964"), last === undefined)) ? null : stryMutAct_9fa48("6965") ? {} : (stryCov_9fa48("6965"), {
        place: last.end,
        position: last.endAt
      });
    }
  }

  /**
   * The standings of entries whose shown submission is after one position and up to another. Data that rows do not
   * contain is read from the history or the log; if it is gone from there, the entry has no extra data and no name.
   */
  async standings(after: Position | null, upTo: Position): Promise<Standing[]> {
    if (stryMutAct_9fa48("6966")) {
      {}
    } else {
      stryCov_9fa48("6966");
      const {
        pages
      } = this.#made;
      const last = stryMutAct_9fa48("6967") ? Math.max(pageOf(pages, upTo), pages.length - 1) : (stryCov_9fa48("6967"), Math.min(pageOf(pages, upTo), stryMutAct_9fa48("6968") ? pages.length + 1 : (stryCov_9fa48("6968"), pages.length - 1)));
      const found: Standing[] = stryMutAct_9fa48("6969") ? ["Stryker was here"] : (stryCov_9fa48("6969"), []);
      let hasRead = stryMutAct_9fa48("6970") ? true : (stryCov_9fa48("6970"), false);
      for (let page = this.#firstAfter(after); stryMutAct_9fa48("6973") ? page > last : stryMutAct_9fa48("6972") ? page < last : stryMutAct_9fa48("6971") ? false : (stryCov_9fa48("6971", "6972", "6973"), page <= last); stryMutAct_9fa48("6974") ? page-- : (stryCov_9fa48("6974"), page++)) {
        if (stryMutAct_9fa48("6975")) {
          {}
        } else {
          stryCov_9fa48("6975");
          // A range may end inside a page: then each submission's own position decides.
          const isWhole = stryMutAct_9fa48("6978") ? after === null || this.#endAt(page - 1) >= after || this.#endAt(page) <= upTo : stryMutAct_9fa48("6977") ? false : stryMutAct_9fa48("6976") ? true : (stryCov_9fa48("6976", "6977", "6978"), (stryMutAct_9fa48("6980") ? after === null && this.#endAt(page - 1) >= after : stryMutAct_9fa48("6979") ? true : (stryCov_9fa48("6979", "6980"), (stryMutAct_9fa48("6982") ? after !== null : stryMutAct_9fa48("6981") ? false : (stryCov_9fa48("6981", "6982"), after === null)) || (stryMutAct_9fa48("6985") ? this.#endAt(page - 1) < after : stryMutAct_9fa48("6984") ? this.#endAt(page - 1) > after : stryMutAct_9fa48("6983") ? false : (stryCov_9fa48("6983", "6984", "6985"), this.#endAt(stryMutAct_9fa48("6986") ? page + 1 : (stryCov_9fa48("6986"), page - 1)) >= after)))) && (stryMutAct_9fa48("6989") ? this.#endAt(page) > upTo : stryMutAct_9fa48("6988") ? this.#endAt(page) < upTo : stryMutAct_9fa48("6987") ? true : (stryCov_9fa48("6987", "6988", "6989"), this.#endAt(page) <= upTo)));
          const toRead: EntryRow[] = stryMutAct_9fa48("6990") ? ["Stryker was here"] : (stryCov_9fa48("6990"), []);
          for (const slot of this.#slots.subarray(this.#begins[page], this.#begins[stryMutAct_9fa48("6991") ? page - 1 : (stryCov_9fa48("6991"), page + 1)])) {
            if (stryMutAct_9fa48("6992")) {
              {}
            } else {
              stryCov_9fa48("6992");
              const own = this.#rows.own(slot);
              if (stryMutAct_9fa48("6995") ? isWhole || own.bare || own.member === null : stryMutAct_9fa48("6994") ? false : stryMutAct_9fa48("6993") ? true : (stryCov_9fa48("6993", "6994", "6995"), isWhole && (stryMutAct_9fa48("6997") ? own.bare && own.member === null : stryMutAct_9fa48("6996") ? true : (stryCov_9fa48("6996", "6997"), own.bare || (stryMutAct_9fa48("6999") ? own.member !== null : stryMutAct_9fa48("6998") ? false : (stryCov_9fa48("6998", "6999"), own.member === null)))))) found.push(this.#standing(own, null));else toRead.push(own);
            }
          }
          if (stryMutAct_9fa48("7002") ? toRead.length !== 0 : stryMutAct_9fa48("7001") ? false : stryMutAct_9fa48("7000") ? true : (stryCov_9fa48("7000", "7001", "7002"), toRead.length === 0)) continue;
          if (stryMutAct_9fa48("7004") ? false : stryMutAct_9fa48("7003") ? true : (stryCov_9fa48("7003", "7004"), hasRead)) await yieldToEventLoop();
          hasRead = stryMutAct_9fa48("7005") ? false : (stryCov_9fa48("7005"), true);
          const events = await this.#submissions(page, toRead);
          for (const [i, own] of toRead.entries()) {
            if (stryMutAct_9fa48("7006")) {
              {}
            } else {
              stryCov_9fa48("7006");
              const event = stryMutAct_9fa48("7007") ? events[i] && null : (stryCov_9fa48("7007"), events[i] ?? null);
              const position = stryMutAct_9fa48("7008") ? event?.position && this.#endAt(page) : (stryCov_9fa48("7008"), (stryMutAct_9fa48("7009") ? event.position : (stryCov_9fa48("7009"), event?.position)) ?? this.#endAt(page));
              if (stryMutAct_9fa48("7012") ? position <= upTo || after === null || position > after : stryMutAct_9fa48("7011") ? false : stryMutAct_9fa48("7010") ? true : (stryCov_9fa48("7010", "7011", "7012"), (stryMutAct_9fa48("7015") ? position > upTo : stryMutAct_9fa48("7014") ? position < upTo : stryMutAct_9fa48("7013") ? true : (stryCov_9fa48("7013", "7014", "7015"), position <= upTo)) && (stryMutAct_9fa48("7017") ? after === null && position > after : stryMutAct_9fa48("7016") ? true : (stryCov_9fa48("7016", "7017"), (stryMutAct_9fa48("7019") ? after !== null : stryMutAct_9fa48("7018") ? false : (stryCov_9fa48("7018", "7019"), after === null)) || (stryMutAct_9fa48("7022") ? position <= after : stryMutAct_9fa48("7021") ? position >= after : stryMutAct_9fa48("7020") ? false : (stryCov_9fa48("7020", "7021", "7022"), position > after)))))) found.push(this.#standing(own, event));
            }
          }
        }
      }
      return found;
    }
  }

  /** The next range after a position, with about this many standings, and its number of events; null after the last. */
  next(after: Position | null, standings: number): {
    readonly upTo: EventReference;
    readonly events: number;
  } | null {
    if (stryMutAct_9fa48("7023")) {
      {}
    } else {
      stryCov_9fa48("7023");
      let [found, events] = stryMutAct_9fa48("7024") ? [] : (stryCov_9fa48("7024"), [0, 0]);
      let end: EventReference | null = null;
      for (let at = this.#firstAfter(after); stryMutAct_9fa48("7027") ? at >= this.#made.pages.length : stryMutAct_9fa48("7026") ? at <= this.#made.pages.length : stryMutAct_9fa48("7025") ? false : (stryCov_9fa48("7025", "7026", "7027"), at < this.#made.pages.length); stryMutAct_9fa48("7028") ? at-- : (stryCov_9fa48("7028"), at++)) {
        if (stryMutAct_9fa48("7029")) {
          {}
        } else {
          stryCov_9fa48("7029");
          const page = this.#made.pages[at] as Page;
          const own = stryMutAct_9fa48("7030") ? (this.#begins[at + 1] as number) + (this.#begins[at] as number) : (stryCov_9fa48("7030"), (this.#begins[at + 1] as number) - (this.#begins[at] as number));
          if (stryMutAct_9fa48("7033") ? end !== null || found + own > standings || events + page.events > MAX_RANGE_EVENTS : stryMutAct_9fa48("7032") ? false : stryMutAct_9fa48("7031") ? true : (stryCov_9fa48("7031", "7032", "7033"), (stryMutAct_9fa48("7035") ? end === null : stryMutAct_9fa48("7034") ? true : (stryCov_9fa48("7034", "7035"), end !== null)) && (stryMutAct_9fa48("7037") ? found + own > standings && events + page.events > MAX_RANGE_EVENTS : stryMutAct_9fa48("7036") ? true : (stryCov_9fa48("7036", "7037"), (stryMutAct_9fa48("7040") ? found + own <= standings : stryMutAct_9fa48("7039") ? found + own >= standings : stryMutAct_9fa48("7038") ? false : (stryCov_9fa48("7038", "7039", "7040"), (stryMutAct_9fa48("7041") ? found - own : (stryCov_9fa48("7041"), found + own)) > standings)) || (stryMutAct_9fa48("7044") ? events + page.events <= MAX_RANGE_EVENTS : stryMutAct_9fa48("7043") ? events + page.events >= MAX_RANGE_EVENTS : stryMutAct_9fa48("7042") ? false : (stryCov_9fa48("7042", "7043", "7044"), (stryMutAct_9fa48("7045") ? events - page.events : (stryCov_9fa48("7045"), events + page.events)) > MAX_RANGE_EVENTS)))))) break;
          stryMutAct_9fa48("7046") ? found -= own : (stryCov_9fa48("7046"), found += own);
          stryMutAct_9fa48("7047") ? events -= page.events : (stryCov_9fa48("7047"), events += page.events);
          end = page.end;
        }
      }
      return (stryMutAct_9fa48("7050") ? end !== null : stryMutAct_9fa48("7049") ? false : stryMutAct_9fa48("7048") ? true : (stryCov_9fa48("7048", "7049", "7050"), end === null)) ? null : stryMutAct_9fa48("7051") ? {} : (stryCov_9fa48("7051"), {
        upTo: end,
        events
      });
    }
  }
  #endAt = stryMutAct_9fa48("7052") ? () => undefined : (stryCov_9fa48("7052"), (page: number): Position => stryMutAct_9fa48("7053") ? this.#made.pages[page]?.endAt && '' : (stryCov_9fa48("7053"), (stryMutAct_9fa48("7054") ? this.#made.pages[page].endAt : (stryCov_9fa48("7054"), this.#made.pages[page]?.endAt)) ?? (stryMutAct_9fa48("7055") ? "Stryker was here!" : (stryCov_9fa48("7055"), ''))));

  /** The first page with an event after a position. */
  #firstAfter(position: Position | null): number {
    if (stryMutAct_9fa48("7056")) {
      {}
    } else {
      stryCov_9fa48("7056");
      if (stryMutAct_9fa48("7059") ? position !== null : stryMutAct_9fa48("7058") ? false : stryMutAct_9fa48("7057") ? true : (stryCov_9fa48("7057", "7058", "7059"), position === null)) return 0;
      const page = pageOf(this.#made.pages, position);
      return (stryMutAct_9fa48("7062") ? this.#endAt(page) !== position : stryMutAct_9fa48("7061") ? false : stryMutAct_9fa48("7060") ? true : (stryCov_9fa48("7060", "7061", "7062"), this.#endAt(page) === position)) ? stryMutAct_9fa48("7063") ? page - 1 : (stryCov_9fa48("7063"), page + 1) : page;
    }
  }

  /**
   * The submissions that the entries of a page show, in the same order; undefined for one that is no longer recorded.
   */
  async #submissions(page: number, entries: readonly EntryRow[]): Promise<(StoredEvent | undefined)[]> {
    if (stryMutAct_9fa48("7064")) {
      {}
    } else {
      stryCov_9fa48("7064");
      const {
        log,
        part,
        board,
        pages
      } = this.#made;
      const {
        events
      } = pages[page] as Page;
      if (stryMutAct_9fa48("7067") ? entries.length >= events * WHOLE_FROM || entries.length > READ_AT_ONCE : stryMutAct_9fa48("7066") ? false : stryMutAct_9fa48("7065") ? true : (stryCov_9fa48("7065", "7066", "7067"), (stryMutAct_9fa48("7070") ? entries.length < events * WHOLE_FROM : stryMutAct_9fa48("7069") ? entries.length > events * WHOLE_FROM : stryMutAct_9fa48("7068") ? true : (stryCov_9fa48("7068", "7069", "7070"), entries.length >= (stryMutAct_9fa48("7071") ? events / WHOLE_FROM : (stryCov_9fa48("7071"), events * WHOLE_FROM)))) && (stryMutAct_9fa48("7074") ? entries.length <= READ_AT_ONCE : stryMutAct_9fa48("7073") ? entries.length >= READ_AT_ONCE : stryMutAct_9fa48("7072") ? true : (stryCov_9fa48("7072", "7073", "7074"), entries.length > READ_AT_ONCE)))) {
        if (stryMutAct_9fa48("7075")) {
          {}
        } else {
          stryCov_9fa48("7075");
          const whole = await part(stryMutAct_9fa48("7076") ? {} : (stryCov_9fa48("7076"), {
            board
          }), (stryMutAct_9fa48("7079") ? page !== 0 : stryMutAct_9fa48("7078") ? false : stryMutAct_9fa48("7077") ? true : (stryCov_9fa48("7077", "7078", "7079"), page === 0)) ? null : this.#endAt(stryMutAct_9fa48("7080") ? page + 1 : (stryCov_9fa48("7080"), page - 1)), events);
          const byPlace = new Map(whole.map(stryMutAct_9fa48("7081") ? () => undefined : (stryCov_9fa48("7081"), event => stryMutAct_9fa48("7082") ? [] : (stryCov_9fa48("7082"), [stryMutAct_9fa48("7083") ? `` : (stryCov_9fa48("7083"), `${event.revision} ${event.stream}`), event]))));
          return entries.map(stryMutAct_9fa48("7084") ? () => undefined : (stryCov_9fa48("7084"), ({
            player,
            revision
          }) => byPlace.get(stryMutAct_9fa48("7085") ? `` : (stryCov_9fa48("7085"), `${revision} ${scoreStream(board, player)}`))));
        }
      }
      const found: (StoredEvent | undefined)[] = stryMutAct_9fa48("7086") ? ["Stryker was here"] : (stryCov_9fa48("7086"), []);
      for (let at = 0; stryMutAct_9fa48("7089") ? at >= entries.length : stryMutAct_9fa48("7088") ? at <= entries.length : stryMutAct_9fa48("7087") ? false : (stryCov_9fa48("7087", "7088", "7089"), at < entries.length); stryMutAct_9fa48("7090") ? at -= READ_AT_ONCE : (stryCov_9fa48("7090"), at += READ_AT_ONCE)) {
        if (stryMutAct_9fa48("7091")) {
          {}
        } else {
          stryCov_9fa48("7091");
          if (stryMutAct_9fa48("7095") ? at <= 0 : stryMutAct_9fa48("7094") ? at >= 0 : stryMutAct_9fa48("7093") ? false : stryMutAct_9fa48("7092") ? true : (stryCov_9fa48("7092", "7093", "7094", "7095"), at > 0)) await yieldToEventLoop();
          const some = stryMutAct_9fa48("7096") ? entries : (stryCov_9fa48("7096"), entries.slice(at, stryMutAct_9fa48("7097") ? at - READ_AT_ONCE : (stryCov_9fa48("7097"), at + READ_AT_ONCE)));
          const read = some.map(stryMutAct_9fa48("7098") ? () => undefined : (stryCov_9fa48("7098"), ({
            player,
            revision
          }) => log.readStream(scoreStream(board, player), revision, 1)));
          for (const [event] of await Promise.all(read)) found.push(event);
        }
      }
      return found;
    }
  }

  /**
   * `event`: the submission that the entry shows; null if its row contains everything, or if it is no longer recorded.
   */
  #standing({
    player,
    member,
    revision,
    addedMs,
    id,
    shownId
  }: EntryRow, event: StoredEvent | null): Standing {
    if (stryMutAct_9fa48("7099")) {
      {}
    } else {
      stryCov_9fa48("7099");
      // While nothing is shown, the entry began when the submission was made.
      const fields = (stryMutAct_9fa48("7102") ? member !== null : stryMutAct_9fa48("7101") ? false : stryMutAct_9fa48("7100") ? true : (stryCov_9fa48("7100", "7101", "7102"), member === null)) ? null : fieldsOfMember(member, this.#rules);
      const timeMs = stryMutAct_9fa48("7103") ? (fields?.timeMs ?? addedMs) && 0 : (stryCov_9fa48("7103"), (stryMutAct_9fa48("7104") ? fields?.timeMs && addedMs : (stryCov_9fa48("7104"), (stryMutAct_9fa48("7105") ? fields.timeMs : (stryCov_9fa48("7105"), fields?.timeMs)) ?? addedMs)) ?? 0);
      const sent = (stryMutAct_9fa48("7108") ? event !== null : stryMutAct_9fa48("7107") ? false : stryMutAct_9fa48("7106") ? true : (stryCov_9fa48("7106", "7107", "7108"), event === null)) ? null : unsafeCast<ScoreSubmittedData>(event.data);
      return stryMutAct_9fa48("7109") ? {} : (stryCov_9fa48("7109"), {
        player,
        begun: (stryMutAct_9fa48("7112") ? addedMs === null || shownId === null : stryMutAct_9fa48("7111") ? false : stryMutAct_9fa48("7110") ? true : (stryCov_9fa48("7110", "7111", "7112"), (stryMutAct_9fa48("7114") ? addedMs !== null : stryMutAct_9fa48("7113") ? true : (stryCov_9fa48("7113", "7114"), addedMs === null)) && (stryMutAct_9fa48("7116") ? shownId !== null : stryMutAct_9fa48("7115") ? true : (stryCov_9fa48("7115", "7116"), shownId === null)))) ? null : stryMutAct_9fa48("7117") ? {} : (stryCov_9fa48("7117"), {
          id,
          added: isoOf(stryMutAct_9fa48("7118") ? addedMs && timeMs : (stryCov_9fa48("7118"), addedMs ?? timeMs))
        }),
        id: stryMutAct_9fa48("7119") ? shownId && id : (stryCov_9fa48("7119"), shownId ?? id),
        time: isoOf(timeMs),
        revision,
        shown: stryMutAct_9fa48("7122") ? fields || {
          score: fields.score,
          secondary: fields.secondary,
          extra: sent?.extra ?? null,
          playerName: sent?.playerName ?? null
        } : stryMutAct_9fa48("7121") ? false : stryMutAct_9fa48("7120") ? true : (stryCov_9fa48("7120", "7121", "7122"), fields && (stryMutAct_9fa48("7123") ? {} : (stryCov_9fa48("7123"), {
          score: fields.score,
          secondary: fields.secondary,
          extra: stryMutAct_9fa48("7124") ? sent?.extra && null : (stryCov_9fa48("7124"), (stryMutAct_9fa48("7125") ? sent.extra : (stryCov_9fa48("7125"), sent?.extra)) ?? null),
          playerName: stryMutAct_9fa48("7126") ? sent?.playerName && null : (stryCov_9fa48("7126"), (stryMutAct_9fa48("7127") ? sent.playerName : (stryCov_9fa48("7127"), sent?.playerName)) ?? null)
        }))),
        member
      });
    }
  }
}