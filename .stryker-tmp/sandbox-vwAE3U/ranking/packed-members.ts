// An immutable list of members in rank order, packed in bytes. Finds a member by index, by text, and by the id at its
// end.
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
import { bytesHash, mixed, textHash } from '../domain/hash.ts';
import { bytesOfChunks, CHUNK_BITS, CHUNK_MASK, CHUNK_SIZE, type Chunks, lengthOf, numberAt, zeros } from './chunks.ts';
import { idInBytes, idOfMember, timeInBytes } from './member.ts';

/** The members of a segment are stored in rows of one width; neighbours in rank have similar lengths. */
const SEGMENT = 1_024;
const SEGMENT_BITS = 10;
const MAX_MEMBER_LENGTH = 512;
/** Slots of the id hash table per member. */
const ROOM = stryMutAct_9fa48("9333") ? 4 * 3 : (stryCov_9fa48("9333"), 4 / 3);
const SLICE = 256;
/**
 * Segments share allocations: each allocation outside the heap may trigger a garbage collector step of milliseconds.
 */
const SLAB_BYTES = 2 ** 20;
const FIRST_SLAB_BYTES = 2 ** 16;
interface Segment {
  readonly bytes: Buffer;
  readonly width: number;
  /** The first member. */
  readonly first: string;
}
export class PackedMembers {
  readonly length: number;
  readonly #segments: readonly Segment[];
  /** Index + 1 by the hash of the id, combined with the upper bits of the hash that are free; 0 marks a free slot. */
  readonly #table: Chunks;
  readonly #room: number;
  readonly #placeBits: number;
  constructor(length: number, segments: readonly Segment[], table: Chunks) {
    if (stryMutAct_9fa48("9334")) {
      {}
    } else {
      stryCov_9fa48("9334");
      this.length = length;
      this.#segments = segments;
      this.#table = table;
      this.#room = lengthOf(table);
      this.#placeBits = placeBitsFor(length);
    }
  }
  get bytes(): number {
    if (stryMutAct_9fa48("9335")) {
      {}
    } else {
      stryCov_9fa48("9335");
      return this.#segments.reduce(stryMutAct_9fa48("9336") ? () => undefined : (stryCov_9fa48("9336"), (sum, {
        bytes
      }) => stryMutAct_9fa48("9337") ? sum - bytes.length : (stryCov_9fa48("9337"), sum + bytes.length)), bytesOfChunks(this.#table));
    }
  }
  text(place: number): string {
    if (stryMutAct_9fa48("9338")) {
      {}
    } else {
      stryCov_9fa48("9338");
      const {
        bytes,
        width
      } = this.#segmentOf(place);
      const start = stryMutAct_9fa48("9339") ? (place & SEGMENT - 1) / width : (stryCov_9fa48("9339"), (place & (stryMutAct_9fa48("9340") ? SEGMENT + 1 : (stryCov_9fa48("9340"), SEGMENT - 1))) * width);
      return bytes.toString(stryMutAct_9fa48("9341") ? "" : (stryCov_9fa48("9341"), 'latin1'), start, endOf(bytes, start, width));
    }
  }

  /** The number of members that sort before this one. */
  before(member: string): number {
    if (stryMutAct_9fa48("9342")) {
      {}
    } else {
      stryCov_9fa48("9342");
      let low = 0;
      let high = this.#segments.length;
      while (stryMutAct_9fa48("9345") ? low >= high : stryMutAct_9fa48("9344") ? low <= high : stryMutAct_9fa48("9343") ? false : (stryCov_9fa48("9343", "9344", "9345"), low < high)) {
        if (stryMutAct_9fa48("9346")) {
          {}
        } else {
          stryCov_9fa48("9346");
          const middle = (stryMutAct_9fa48("9347") ? low - high : (stryCov_9fa48("9347"), low + high)) >>> 1;
          if (stryMutAct_9fa48("9351") ? (this.#segments[middle] as Segment).first >= member : stryMutAct_9fa48("9350") ? (this.#segments[middle] as Segment).first <= member : stryMutAct_9fa48("9349") ? false : stryMutAct_9fa48("9348") ? true : (stryCov_9fa48("9348", "9349", "9350", "9351"), (this.#segments[middle] as Segment).first < member)) low = stryMutAct_9fa48("9352") ? middle - 1 : (stryCov_9fa48("9352"), middle + 1);else high = middle;
        }
      }
      if (stryMutAct_9fa48("9355") ? low !== 0 : stryMutAct_9fa48("9354") ? false : stryMutAct_9fa48("9353") ? true : (stryCov_9fa48("9353", "9354", "9355"), low === 0)) return 0;
      high = stryMutAct_9fa48("9356") ? Math.max(this.length, low << SEGMENT_BITS) : (stryCov_9fa48("9356"), Math.min(this.length, low << SEGMENT_BITS));
      low = (stryMutAct_9fa48("9357") ? low + 1 : (stryCov_9fa48("9357"), low - 1)) << SEGMENT_BITS;
      while (stryMutAct_9fa48("9360") ? low >= high : stryMutAct_9fa48("9359") ? low <= high : stryMutAct_9fa48("9358") ? false : (stryCov_9fa48("9358", "9359", "9360"), low < high)) {
        if (stryMutAct_9fa48("9361")) {
          {}
        } else {
          stryCov_9fa48("9361");
          const middle = (stryMutAct_9fa48("9362") ? low - high : (stryCov_9fa48("9362"), low + high)) >>> 1;
          if (stryMutAct_9fa48("9366") ? this.text(middle) >= member : stryMutAct_9fa48("9365") ? this.text(middle) <= member : stryMutAct_9fa48("9364") ? false : stryMutAct_9fa48("9363") ? true : (stryCov_9fa48("9363", "9364", "9365", "9366"), this.text(middle) < member)) low = stryMutAct_9fa48("9367") ? middle - 1 : (stryCov_9fa48("9367"), middle + 1);else high = middle;
        }
      }
      return low;
    }
  }

  /** Index of the member with this id, or -1. */
  placeOf(id: string): number {
    if (stryMutAct_9fa48("9368")) {
      {}
    } else {
      stryCov_9fa48("9368");
      const table = this.#table;
      const hash = mixed(textHash(id));
      const bits = this.#placeBits;
      const tag = hash << bits >>> bits;
      if (stryMutAct_9fa48("9369")) {
        for (let at = homeOf(hash, this.#room); false; at = at + 1 === this.#room ? 0 : at + 1) {
          const held = numberAt(table, at);
          if (held === 0) return -1;
          const place = (held & 2 ** bits - 1) - 1;
          if (held >>> bits === tag && this.#hasId(place, id)) return place;
        }
      } else {
        stryCov_9fa48("9369");
        for (let at = homeOf(hash, this.#room);; at = (stryMutAct_9fa48("9372") ? at + 1 !== this.#room : stryMutAct_9fa48("9371") ? false : stryMutAct_9fa48("9370") ? true : (stryCov_9fa48("9370", "9371", "9372"), (stryMutAct_9fa48("9373") ? at - 1 : (stryCov_9fa48("9373"), at + 1)) === this.#room)) ? 0 : stryMutAct_9fa48("9374") ? at - 1 : (stryCov_9fa48("9374"), at + 1)) {
          if (stryMutAct_9fa48("9375")) {
            {}
          } else {
            stryCov_9fa48("9375");
            const held = numberAt(table, at);
            if (stryMutAct_9fa48("9378") ? held !== 0 : stryMutAct_9fa48("9377") ? false : stryMutAct_9fa48("9376") ? true : (stryCov_9fa48("9376", "9377", "9378"), held === 0)) return stryMutAct_9fa48("9379") ? +1 : (stryCov_9fa48("9379"), -1);
            const place = stryMutAct_9fa48("9380") ? (held & 2 ** bits - 1) + 1 : (stryCov_9fa48("9380"), (held & (stryMutAct_9fa48("9381") ? 2 ** bits + 1 : (stryCov_9fa48("9381"), 2 ** bits - 1))) - 1);
            if (stryMutAct_9fa48("9384") ? held >>> bits === tag || this.#hasId(place, id) : stryMutAct_9fa48("9383") ? false : stryMutAct_9fa48("9382") ? true : (stryCov_9fa48("9382", "9383", "9384"), (stryMutAct_9fa48("9386") ? held >>> bits !== tag : stryMutAct_9fa48("9385") ? true : (stryCov_9fa48("9385", "9386"), held >>> bits === tag)) && this.#hasId(place, id))) return place;
          }
        }
      }
    }
  }
  #hasId(place: number, id: string): boolean {
    if (stryMutAct_9fa48("9387")) {
      {}
    } else {
      stryCov_9fa48("9387");
      const {
        bytes,
        width
      } = this.#segmentOf(place);
      const start = stryMutAct_9fa48("9388") ? (place & SEGMENT - 1) / width : (stryCov_9fa48("9388"), (place & (stryMutAct_9fa48("9389") ? SEGMENT + 1 : (stryCov_9fa48("9389"), SEGMENT - 1))) * width);
      const idAt = idInBytes(bytes, start);
      const end = stryMutAct_9fa48("9390") ? idAt - id.length : (stryCov_9fa48("9390"), idAt + id.length);
      if (stryMutAct_9fa48("9393") ? end > start + width && end < start + width && bytes[end] !== 0 : stryMutAct_9fa48("9392") ? false : stryMutAct_9fa48("9391") ? true : (stryCov_9fa48("9391", "9392", "9393"), (stryMutAct_9fa48("9396") ? end <= start + width : stryMutAct_9fa48("9395") ? end >= start + width : stryMutAct_9fa48("9394") ? false : (stryCov_9fa48("9394", "9395", "9396"), end > (stryMutAct_9fa48("9397") ? start - width : (stryCov_9fa48("9397"), start + width)))) || (stryMutAct_9fa48("9399") ? end < start + width || bytes[end] !== 0 : stryMutAct_9fa48("9398") ? false : (stryCov_9fa48("9398", "9399"), (stryMutAct_9fa48("9402") ? end >= start + width : stryMutAct_9fa48("9401") ? end <= start + width : stryMutAct_9fa48("9400") ? true : (stryCov_9fa48("9400", "9401", "9402"), end < (stryMutAct_9fa48("9403") ? start - width : (stryCov_9fa48("9403"), start + width)))) && (stryMutAct_9fa48("9405") ? bytes[end] === 0 : stryMutAct_9fa48("9404") ? true : (stryCov_9fa48("9404", "9405"), bytes[end] !== 0)))))) return stryMutAct_9fa48("9406") ? true : (stryCov_9fa48("9406"), false);
      for (let at = 0; stryMutAct_9fa48("9409") ? at >= id.length : stryMutAct_9fa48("9408") ? at <= id.length : stryMutAct_9fa48("9407") ? false : (stryCov_9fa48("9407", "9408", "9409"), at < id.length); stryMutAct_9fa48("9410") ? at-- : (stryCov_9fa48("9410"), at++)) if (stryMutAct_9fa48("9413") ? bytes[idAt + at] === id.charCodeAt(at) : stryMutAct_9fa48("9412") ? false : stryMutAct_9fa48("9411") ? true : (stryCov_9fa48("9411", "9412", "9413"), bytes[stryMutAct_9fa48("9414") ? idAt - at : (stryCov_9fa48("9414"), idAt + at)] !== id.charCodeAt(at))) return stryMutAct_9fa48("9415") ? true : (stryCov_9fa48("9415"), false);
      return stryMutAct_9fa48("9416") ? false : (stryCov_9fa48("9416"), true);
    }
  }
  #segmentOf(place: number): Segment {
    if (stryMutAct_9fa48("9417")) {
      {}
    } else {
      stryCov_9fa48("9417");
      return this.#segments[place >>> SEGMENT_BITS] as Segment;
    }
  }

  /** Adds a member to a packer. */
  copy(place: number, into: MemberPacker): void {
    if (stryMutAct_9fa48("9418")) {
      {}
    } else {
      stryCov_9fa48("9418");
      const {
        bytes,
        width
      } = this.#segmentOf(place);
      const start = stryMutAct_9fa48("9419") ? (place & SEGMENT - 1) / width : (stryCov_9fa48("9419"), (place & (stryMutAct_9fa48("9420") ? SEGMENT + 1 : (stryCov_9fa48("9420"), SEGMENT - 1))) * width);
      into.add(bytes, start, endOf(bytes, start, width));
    }
  }
}

/** The packed members with their times and duplicates. */
export interface Packed {
  readonly members: PackedMembers;
  /** The time of each member, by index, in Unix milliseconds. */
  readonly times: Chunks<Float64Array>;
  /** Indexes of members whose id an earlier member also has. */
  readonly doubles: readonly number[];
}

/**
 * Packs members that are added in rank order.
 * @fields The buffers of one pass over every member of a board: an object between them would be read for each byte.
 */
export class MemberPacker {
  #length = 0;
  readonly #segments: Segment[] = stryMutAct_9fa48("9421") ? ["Stryker was here"] : (stryCov_9fa48("9421"), []);
  readonly #times: Float64Array[] = stryMutAct_9fa48("9422") ? ["Stryker was here"] : (stryCov_9fa48("9422"), []);
  readonly #hashes: Uint32Array[] = stryMutAct_9fa48("9423") ? ["Stryker was here"] : (stryCov_9fa48("9423"), []);
  /** The rows of the segment being filled, without gaps, and the end of each. */
  readonly #rows = Buffer.alloc(stryMutAct_9fa48("9424") ? SEGMENT / MAX_MEMBER_LENGTH : (stryCov_9fa48("9424"), SEGMENT * MAX_MEMBER_LENGTH));
  readonly #ends = new Uint32Array(stryMutAct_9fa48("9425") ? SEGMENT - 1 : (stryCov_9fa48("9425"), SEGMENT + 1));
  readonly #text = Buffer.alloc(MAX_MEMBER_LENGTH);
  #slab = Buffer.alloc(0);
  #slabUsed = 0;
  addText(member: string): void {
    if (stryMutAct_9fa48("9426")) {
      {}
    } else {
      stryCov_9fa48("9426");
      this.add(this.#text, 0, this.#text.write(member, stryMutAct_9fa48("9427") ? "" : (stryCov_9fa48("9427"), 'latin1')));
    }
  }
  add(bytes: Buffer, start: number, end: number): void {
    if (stryMutAct_9fa48("9428")) {
      {}
    } else {
      stryCov_9fa48("9428");
      const row = this.#length & (stryMutAct_9fa48("9429") ? SEGMENT + 1 : (stryCov_9fa48("9429"), SEGMENT - 1));
      const from = this.#ends[row] as number;
      copyBytes(bytes, start, end, this.#rows, from);
      this.#ends[stryMutAct_9fa48("9430") ? row - 1 : (stryCov_9fa48("9430"), row + 1)] = stryMutAct_9fa48("9431") ? from + end + start : (stryCov_9fa48("9431"), (stryMutAct_9fa48("9432") ? from - end : (stryCov_9fa48("9432"), from + end)) - start);
      const inChunk = this.#length & CHUNK_MASK;
      if (stryMutAct_9fa48("9435") ? inChunk !== 0 : stryMutAct_9fa48("9434") ? false : stryMutAct_9fa48("9433") ? true : (stryCov_9fa48("9433", "9434", "9435"), inChunk === 0)) {
        if (stryMutAct_9fa48("9436")) {
          {}
        } else {
          stryCov_9fa48("9436");
          this.#times.push(new Float64Array(CHUNK_SIZE));
          this.#hashes.push(new Uint32Array(CHUNK_SIZE));
        }
      }
      const idAt = idInBytes(bytes, start);
      const chunk = this.#length >>> CHUNK_BITS;
      (this.#times[chunk] as Float64Array)[inChunk] = timeInBytes(bytes, idAt);
      (this.#hashes[chunk] as Uint32Array)[inChunk] = mixed(bytesHash(bytes, idAt, end));
      stryMutAct_9fa48("9437") ? this.#length-- : (stryCov_9fa48("9437"), this.#length++);
      if (stryMutAct_9fa48("9440") ? row !== SEGMENT - 1 : stryMutAct_9fa48("9439") ? false : stryMutAct_9fa48("9438") ? true : (stryCov_9fa48("9438", "9439", "9440"), row === (stryMutAct_9fa48("9441") ? SEGMENT + 1 : (stryCov_9fa48("9441"), SEGMENT - 1)))) this.#closeSegment(SEGMENT);
    }
  }
  #closeSegment(count: number): void {
    if (stryMutAct_9fa48("9442")) {
      {}
    } else {
      stryCov_9fa48("9442");
      const ends = this.#ends;
      let width = 0;
      for (let row = 0; stryMutAct_9fa48("9445") ? row >= count : stryMutAct_9fa48("9444") ? row <= count : stryMutAct_9fa48("9443") ? false : (stryCov_9fa48("9443", "9444", "9445"), row < count); stryMutAct_9fa48("9446") ? row-- : (stryCov_9fa48("9446"), row++)) width = stryMutAct_9fa48("9447") ? Math.min(width, (ends[row + 1] as number) - (ends[row] as number)) : (stryCov_9fa48("9447"), Math.max(width, stryMutAct_9fa48("9448") ? (ends[row + 1] as number) + (ends[row] as number) : (stryCov_9fa48("9448"), (ends[row + 1] as number) - (ends[row] as number))));
      const bytes = this.#room(stryMutAct_9fa48("9449") ? width / count : (stryCov_9fa48("9449"), width * count));
      for (let row = 0; stryMutAct_9fa48("9452") ? row >= count : stryMutAct_9fa48("9451") ? row <= count : stryMutAct_9fa48("9450") ? false : (stryCov_9fa48("9450", "9451", "9452"), row < count); stryMutAct_9fa48("9453") ? row-- : (stryCov_9fa48("9453"), row++)) {
        if (stryMutAct_9fa48("9454")) {
          {}
        } else {
          stryCov_9fa48("9454");
          copyBytes(this.#rows, ends[row] as number, ends[row + 1] as number, bytes, stryMutAct_9fa48("9455") ? row / width : (stryCov_9fa48("9455"), row * width));
        }
      }
      this.#segments.push(stryMutAct_9fa48("9456") ? {} : (stryCov_9fa48("9456"), {
        bytes,
        width,
        first: this.#rows.toString(stryMutAct_9fa48("9457") ? "" : (stryCov_9fa48("9457"), 'latin1'), 0, ends[1] as number)
      }));
    }
  }
  #room(bytes: number): Buffer {
    if (stryMutAct_9fa48("9458")) {
      {}
    } else {
      stryCov_9fa48("9458");
      if (stryMutAct_9fa48("9462") ? this.#slabUsed + bytes <= this.#slab.length : stryMutAct_9fa48("9461") ? this.#slabUsed + bytes >= this.#slab.length : stryMutAct_9fa48("9460") ? false : stryMutAct_9fa48("9459") ? true : (stryCov_9fa48("9459", "9460", "9461", "9462"), (stryMutAct_9fa48("9463") ? this.#slabUsed - bytes : (stryCov_9fa48("9463"), this.#slabUsed + bytes)) > this.#slab.length)) {
        if (stryMutAct_9fa48("9464")) {
          {}
        } else {
          stryCov_9fa48("9464");
          const least = stryMutAct_9fa48("9465") ? Math.min(bytes, FIRST_SLAB_BYTES) : (stryCov_9fa48("9465"), Math.max(bytes, FIRST_SLAB_BYTES));
          this.#slab = Buffer.alloc(stryMutAct_9fa48("9466") ? Math.min(least, Math.min(SLAB_BYTES, 2 * this.#slab.length)) : (stryCov_9fa48("9466"), Math.max(least, stryMutAct_9fa48("9467") ? Math.max(SLAB_BYTES, 2 * this.#slab.length) : (stryCov_9fa48("9467"), Math.min(SLAB_BYTES, stryMutAct_9fa48("9468") ? 2 / this.#slab.length : (stryCov_9fa48("9468"), 2 * this.#slab.length))))));
          this.#slabUsed = 0;
        }
      }
      stryMutAct_9fa48("9469") ? this.#slabUsed -= bytes : (stryCov_9fa48("9469"), this.#slabUsed += bytes);
      return this.#slab.subarray(stryMutAct_9fa48("9470") ? this.#slabUsed + bytes : (stryCov_9fa48("9470"), this.#slabUsed - bytes), this.#slabUsed);
    }
  }
  *finish(): Generator<void, Packed> {
    if (stryMutAct_9fa48("9471")) {
      {}
    } else {
      stryCov_9fa48("9471");
      const length = this.#length;
      if (stryMutAct_9fa48("9474") ? (length & SEGMENT - 1) === 0 : stryMutAct_9fa48("9473") ? false : stryMutAct_9fa48("9472") ? true : (stryCov_9fa48("9472", "9473", "9474"), (length & (stryMutAct_9fa48("9475") ? SEGMENT + 1 : (stryCov_9fa48("9475"), SEGMENT - 1))) !== 0)) this.#closeSegment(length & (stryMutAct_9fa48("9476") ? SEGMENT + 1 : (stryCov_9fa48("9476"), SEGMENT - 1)));
      const times = this.#times.map(stryMutAct_9fa48("9477") ? () => undefined : (stryCov_9fa48("9477"), (chunk, at) => chunk.subarray(0, stryMutAct_9fa48("9478") ? Math.max(CHUNK_SIZE, length - at * CHUNK_SIZE) : (stryCov_9fa48("9478"), Math.min(CHUNK_SIZE, stryMutAct_9fa48("9479") ? length + at * CHUNK_SIZE : (stryCov_9fa48("9479"), length - (stryMutAct_9fa48("9480") ? at / CHUNK_SIZE : (stryCov_9fa48("9480"), at * CHUNK_SIZE))))))));
      const room = Math.ceil(stryMutAct_9fa48("9481") ? (length + 1) / ROOM : (stryCov_9fa48("9481"), (stryMutAct_9fa48("9482") ? length - 1 : (stryCov_9fa48("9482"), length + 1)) * ROOM));
      const table = yield* zeros(room);
      const members = new PackedMembers(length, this.#segments, table);
      const doubles: number[] = stryMutAct_9fa48("9483") ? ["Stryker was here"] : (stryCov_9fa48("9483"), []);
      const bits = placeBitsFor(length);
      for (let place = 0; stryMutAct_9fa48("9486") ? place >= length : stryMutAct_9fa48("9485") ? place <= length : stryMutAct_9fa48("9484") ? false : (stryCov_9fa48("9484", "9485", "9486"), place < length); stryMutAct_9fa48("9487") ? place-- : (stryCov_9fa48("9487"), place++)) {
        if (stryMutAct_9fa48("9488")) {
          {}
        } else {
          stryCov_9fa48("9488");
          const hash = numberAt(this.#hashes, place);
          const held = (hash << bits | (stryMutAct_9fa48("9489") ? place - 1 : (stryCov_9fa48("9489"), place + 1))) >>> 0;
          let at = homeOf(hash, room);
          let isDouble = stryMutAct_9fa48("9490") ? true : (stryCov_9fa48("9490"), false);
          for (let other = numberAt(table, at); stryMutAct_9fa48("9492") ? other !== 0 || !isDouble : stryMutAct_9fa48("9491") ? false : (stryCov_9fa48("9491", "9492"), (stryMutAct_9fa48("9494") ? other === 0 : stryMutAct_9fa48("9493") ? true : (stryCov_9fa48("9493", "9494"), other !== 0)) && (stryMutAct_9fa48("9495") ? isDouble : (stryCov_9fa48("9495"), !isDouble))); other = numberAt(table, at)) {
            if (stryMutAct_9fa48("9496")) {
              {}
            } else {
              stryCov_9fa48("9496");
              const mayBe = stryMutAct_9fa48("9499") ? other >>> bits !== held >>> bits : stryMutAct_9fa48("9498") ? false : stryMutAct_9fa48("9497") ? true : (stryCov_9fa48("9497", "9498", "9499"), other >>> bits === held >>> bits);
              if (stryMutAct_9fa48("9502") ? mayBe || isSameId(members, place, (other & 2 ** bits - 1) - 1) : stryMutAct_9fa48("9501") ? false : stryMutAct_9fa48("9500") ? true : (stryCov_9fa48("9500", "9501", "9502"), mayBe && isSameId(members, place, stryMutAct_9fa48("9503") ? (other & 2 ** bits - 1) + 1 : (stryCov_9fa48("9503"), (other & (stryMutAct_9fa48("9504") ? 2 ** bits + 1 : (stryCov_9fa48("9504"), 2 ** bits - 1))) - 1)))) isDouble = stryMutAct_9fa48("9505") ? false : (stryCov_9fa48("9505"), true);
              if (stryMutAct_9fa48("9508") ? false : stryMutAct_9fa48("9507") ? true : stryMutAct_9fa48("9506") ? isDouble : (stryCov_9fa48("9506", "9507", "9508"), !isDouble)) at = (stryMutAct_9fa48("9511") ? at + 1 !== room : stryMutAct_9fa48("9510") ? false : stryMutAct_9fa48("9509") ? true : (stryCov_9fa48("9509", "9510", "9511"), (stryMutAct_9fa48("9512") ? at - 1 : (stryCov_9fa48("9512"), at + 1)) === room)) ? 0 : stryMutAct_9fa48("9513") ? at - 1 : (stryCov_9fa48("9513"), at + 1);
            }
          }
          if (stryMutAct_9fa48("9515") ? false : stryMutAct_9fa48("9514") ? true : (stryCov_9fa48("9514", "9515"), isDouble)) doubles.push(place);else (table[at >>> CHUNK_BITS] as Uint32Array)[at & CHUNK_MASK] = held;
          if (stryMutAct_9fa48("9518") ? place % SLICE !== 0 : stryMutAct_9fa48("9517") ? false : stryMutAct_9fa48("9516") ? true : (stryCov_9fa48("9516", "9517", "9518"), (stryMutAct_9fa48("9519") ? place * SLICE : (stryCov_9fa48("9519"), place % SLICE)) === 0)) yield;
        }
      }
      return stryMutAct_9fa48("9520") ? {} : (stryCov_9fa48("9520"), {
        members,
        times,
        doubles
      });
    }
  }
}
const isSameId = stryMutAct_9fa48("9521") ? () => undefined : (stryCov_9fa48("9521"), (() => {
  const isSameId = (members: PackedMembers, one: number, other: number): boolean => stryMutAct_9fa48("9524") ? idOfMember(members.text(one)) !== idOfMember(members.text(other)) : stryMutAct_9fa48("9523") ? false : stryMutAct_9fa48("9522") ? true : (stryCov_9fa48("9522", "9523", "9524"), idOfMember(members.text(one)) === idOfMember(members.text(other)));
  return isSameId;
})());

/** Bits that index + 1 needs in the table. The rest of 32 is for the hash. */
const placeBitsFor = stryMutAct_9fa48("9525") ? () => undefined : (stryCov_9fa48("9525"), (() => {
  const placeBitsFor = (length: number): number => stryMutAct_9fa48("9526") ? 32 + Math.clz32(length) : (stryCov_9fa48("9526"), 32 - Math.clz32(length));
  return placeBitsFor;
})());

/** Faster than Buffer.copy for so few bytes. */
function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
  if (stryMutAct_9fa48("9527")) {
    {}
  } else {
    stryCov_9fa48("9527");
    for (let next = start, to = at; stryMutAct_9fa48("9530") ? next >= end : stryMutAct_9fa48("9529") ? next <= end : stryMutAct_9fa48("9528") ? false : (stryCov_9fa48("9528", "9529", "9530"), next < end); stryMutAct_9fa48("9531") ? next-- : (stryCov_9fa48("9531"), next++), stryMutAct_9fa48("9532") ? to-- : (stryCov_9fa48("9532"), to++)) into[to] = from[next] as number;
  }
}
function endOf(bytes: Uint8Array, start: number, width: number): number {
  if (stryMutAct_9fa48("9533")) {
    {}
  } else {
    stryCov_9fa48("9533");
    let end = stryMutAct_9fa48("9534") ? start - width : (stryCov_9fa48("9534"), start + width);
    while (stryMutAct_9fa48("9536") ? end > start || bytes[end - 1] === 0 : stryMutAct_9fa48("9535") ? false : (stryCov_9fa48("9535", "9536"), (stryMutAct_9fa48("9539") ? end <= start : stryMutAct_9fa48("9538") ? end >= start : stryMutAct_9fa48("9537") ? true : (stryCov_9fa48("9537", "9538", "9539"), end > start)) && (stryMutAct_9fa48("9541") ? bytes[end - 1] !== 0 : stryMutAct_9fa48("9540") ? true : (stryCov_9fa48("9540", "9541"), bytes[stryMutAct_9fa48("9542") ? end + 1 : (stryCov_9fa48("9542"), end - 1)] === 0)))) stryMutAct_9fa48("9543") ? end++ : (stryCov_9fa48("9543"), end--);
    return end;
  }
}

/** The start of the probe sequence for a hash in a table of this size. */
const homeOf = stryMutAct_9fa48("9544") ? () => undefined : (stryCov_9fa48("9544"), (() => {
  const homeOf = (hash: number, length: number): number => Math.floor(stryMutAct_9fa48("9545") ? hash / 2 ** 32 / length : (stryCov_9fa48("9545"), (stryMutAct_9fa48("9546") ? hash * 2 ** 32 : (stryCov_9fa48("9546"), hash / 2 ** 32)) * length));
  return homeOf;
})());