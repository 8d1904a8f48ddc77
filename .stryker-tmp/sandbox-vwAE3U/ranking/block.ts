// A node of the B+ tree in SortedBlocks: ordered strings packed in bytes, searched and changed in place.
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
const MAX_MEMBER_LENGTH = 512;
/** A block splits above the first size and is merged with a neighbour below the second. */
export const MAX_BLOCK_BYTES = 8_192;
const MIN_BLOCK_BYTES = stryMutAct_9fa48("8717") ? MAX_BLOCK_BYTES * 4 : (stryCov_9fa48("8717"), MAX_BLOCK_BYTES / 4);
/** Blocks grow in steps: small steps waste little space, and equal sizes let the allocator reuse chunks. */
const STEP_BYTES = 512;

/** The search key of the last `seek` as bytes, padded with zeros: copied once, compared often. */
const sought = new Uint8Array(MAX_MEMBER_LENGTH);
let soughtLength = 0;

/** Sets the search key of `find`, `rank`, `add`, `remove`. Throws RangeError if it cannot be ranked. */
export function seek(member: string): void {
  if (stryMutAct_9fa48("8718")) {
    {}
  } else {
    stryCov_9fa48("8718");
    const {
      length
    } = member;
    if (stryMutAct_9fa48("8722") ? length <= MAX_MEMBER_LENGTH : stryMutAct_9fa48("8721") ? length >= MAX_MEMBER_LENGTH : stryMutAct_9fa48("8720") ? false : stryMutAct_9fa48("8719") ? true : (stryCov_9fa48("8719", "8720", "8721", "8722"), length > MAX_MEMBER_LENGTH)) throw new RangeError(stryMutAct_9fa48("8723") ? `` : (stryCov_9fa48("8723"), `a member of ${length} characters cannot be ranked`));
    for (let at = 0; stryMutAct_9fa48("8726") ? at >= length : stryMutAct_9fa48("8725") ? at <= length : stryMutAct_9fa48("8724") ? false : (stryCov_9fa48("8724", "8725", "8726"), at < length); stryMutAct_9fa48("8727") ? at-- : (stryCov_9fa48("8727"), at++)) {
      if (stryMutAct_9fa48("8728")) {
        {}
      } else {
        stryCov_9fa48("8728");
        const code = member.charCodeAt(at);
        if (stryMutAct_9fa48("8731") ? code === 0 && code > 0x7f : stryMutAct_9fa48("8730") ? false : stryMutAct_9fa48("8729") ? true : (stryCov_9fa48("8729", "8730", "8731"), (stryMutAct_9fa48("8733") ? code !== 0 : stryMutAct_9fa48("8732") ? false : (stryCov_9fa48("8732", "8733"), code === 0)) || (stryMutAct_9fa48("8736") ? code <= 0x7f : stryMutAct_9fa48("8735") ? code >= 0x7f : stryMutAct_9fa48("8734") ? false : (stryCov_9fa48("8734", "8735", "8736"), code > 0x7f)))) throw new RangeError(stryMutAct_9fa48("8737") ? "" : (stryCov_9fa48("8737"), 'a ranked member must be ASCII'));
        sought[at] = code;
      }
    }
    for (let at = length; stryMutAct_9fa48("8740") ? at >= soughtLength : stryMutAct_9fa48("8739") ? at <= soughtLength : stryMutAct_9fa48("8738") ? false : (stryCov_9fa48("8738", "8739", "8740"), at < soughtLength); stryMutAct_9fa48("8741") ? at-- : (stryCov_9fa48("8741"), at++)) sought[at] = 0;
    soughtLength = length;
  }
}

/**
 * A node: `count` ordered strings, each padded with zeros to `stride` bytes. Neighbours in rank have similar lengths,
 * so this wastes little. In a leaf the strings are the members.
 */
export class Block {
  count = 0;
  stride = 1;
  bytes = Buffer.alloc(0);
  readonly branch: boolean;
  /** In a branch each string is a child's lower bound, greater than everything before it; the first is ignored. */
  readonly children: Block[] = stryMutAct_9fa48("8742") ? ["Stryker was here"] : (stryCov_9fa48("8742"), []);
  /** In a branch: number of members below each child. */
  readonly counts: number[] = stryMutAct_9fa48("8743") ? ["Stryker was here"] : (stryCov_9fa48("8743"), []);
  constructor(branch: boolean) {
    if (stryMutAct_9fa48("8744")) {
      {}
    } else {
      stryCov_9fa48("8744");
      this.branch = branch;
    }
  }
  get length(): number {
    if (stryMutAct_9fa48("8745")) {
      {}
    } else {
      stryCov_9fa48("8745");
      return stryMutAct_9fa48("8746") ? this.count / this.stride : (stryCov_9fa48("8746"), this.count * this.stride);
    }
  }
  child(place: number): Block {
    if (stryMutAct_9fa48("8747")) {
      {}
    } else {
      stryCov_9fa48("8747");
      return this.children[place] as Block;
    }
  }

  /** Index of the search key; if it is absent, the complement (~) of its insertion index. */
  find(): number {
    if (stryMutAct_9fa48("8748")) {
      {}
    } else {
      stryCov_9fa48("8748");
      const {
        bytes,
        stride
      } = this;
      let low = 0;
      let high = this.count;
      // All strings between two share the prefix that both have in common with the search key.
      let sharedLow = 0;
      let sharedHigh = 0;
      while (stryMutAct_9fa48("8751") ? low >= high : stryMutAct_9fa48("8750") ? low <= high : stryMutAct_9fa48("8749") ? false : (stryCov_9fa48("8749", "8750", "8751"), low < high)) {
        if (stryMutAct_9fa48("8752")) {
          {}
        } else {
          stryCov_9fa48("8752");
          const middle = (stryMutAct_9fa48("8753") ? low - high : (stryCov_9fa48("8753"), low + high)) >>> 1;
          const start = stryMutAct_9fa48("8754") ? middle / stride : (stryCov_9fa48("8754"), middle * stride);
          let at = stryMutAct_9fa48("8755") ? Math.max(sharedLow, sharedHigh) : (stryCov_9fa48("8755"), Math.min(sharedLow, sharedHigh));
          while (stryMutAct_9fa48("8757") ? at < stride || bytes[start + at] === sought[at] : stryMutAct_9fa48("8756") ? false : (stryCov_9fa48("8756", "8757"), (stryMutAct_9fa48("8760") ? at >= stride : stryMutAct_9fa48("8759") ? at <= stride : stryMutAct_9fa48("8758") ? true : (stryCov_9fa48("8758", "8759", "8760"), at < stride)) && (stryMutAct_9fa48("8762") ? bytes[start + at] !== sought[at] : stryMutAct_9fa48("8761") ? true : (stryCov_9fa48("8761", "8762"), bytes[stryMutAct_9fa48("8763") ? start - at : (stryCov_9fa48("8763"), start + at)] === sought[at])))) stryMutAct_9fa48("8764") ? at-- : (stryCov_9fa48("8764"), at++);
          if (stryMutAct_9fa48("8767") ? at === stride || soughtLength <= stride : stryMutAct_9fa48("8766") ? false : stryMutAct_9fa48("8765") ? true : (stryCov_9fa48("8765", "8766", "8767"), (stryMutAct_9fa48("8769") ? at !== stride : stryMutAct_9fa48("8768") ? true : (stryCov_9fa48("8768", "8769"), at === stride)) && (stryMutAct_9fa48("8772") ? soughtLength > stride : stryMutAct_9fa48("8771") ? soughtLength < stride : stryMutAct_9fa48("8770") ? true : (stryCov_9fa48("8770", "8771", "8772"), soughtLength <= stride)))) return middle;
          if (stryMutAct_9fa48("8775") ? at === stride && (bytes[start + at] as number) < (sought[at] as number) : stryMutAct_9fa48("8774") ? false : stryMutAct_9fa48("8773") ? true : (stryCov_9fa48("8773", "8774", "8775"), (stryMutAct_9fa48("8777") ? at !== stride : stryMutAct_9fa48("8776") ? false : (stryCov_9fa48("8776", "8777"), at === stride)) || (stryMutAct_9fa48("8780") ? bytes[start + at] as number >= (sought[at] as number) : stryMutAct_9fa48("8779") ? (bytes[start + at] as number) <= (sought[at] as number) : stryMutAct_9fa48("8778") ? false : (stryCov_9fa48("8778", "8779", "8780"), (bytes[start + at] as number) < (sought[at] as number))))) {
            if (stryMutAct_9fa48("8781")) {
              {}
            } else {
              stryCov_9fa48("8781");
              low = stryMutAct_9fa48("8782") ? middle - 1 : (stryCov_9fa48("8782"), middle + 1);
              sharedLow = at;
            }
          } else {
            if (stryMutAct_9fa48("8783")) {
              {}
            } else {
              stryCov_9fa48("8783");
              high = middle;
              sharedHigh = at;
            }
          }
        }
      }
      return stryMutAct_9fa48("8784") ? low : (stryCov_9fa48("8784"), ~low);
    }
  }

  /** Index of the last string not above the search key, or 0: in a branch, of the child that it belongs to. */
  findChild(): number {
    if (stryMutAct_9fa48("8785")) {
      {}
    } else {
      stryCov_9fa48("8785");
      const found = this.find();
      return (stryMutAct_9fa48("8789") ? found < 0 : stryMutAct_9fa48("8788") ? found > 0 : stryMutAct_9fa48("8787") ? false : stryMutAct_9fa48("8786") ? true : (stryCov_9fa48("8786", "8787", "8788", "8789"), found >= 0)) ? found : (stryMutAct_9fa48("8792") ? found !== ~0 : stryMutAct_9fa48("8791") ? false : stryMutAct_9fa48("8790") ? true : (stryCov_9fa48("8790", "8791", "8792"), found === (stryMutAct_9fa48("8793") ? 0 : (stryCov_9fa48("8793"), ~0)))) ? 0 : stryMutAct_9fa48("8794") ? ~found + 1 : (stryCov_9fa48("8794"), (stryMutAct_9fa48("8795") ? found : (stryCov_9fa48("8795"), ~found)) - 1);
    }
  }

  /** Rank of the search key among all members below; if it is absent, the complement. */
  rank(): number {
    if (stryMutAct_9fa48("8796")) {
      {}
    } else {
      stryCov_9fa48("8796");
      if (stryMutAct_9fa48("8799") ? false : stryMutAct_9fa48("8798") ? true : stryMutAct_9fa48("8797") ? this.branch : (stryCov_9fa48("8797", "8798", "8799"), !this.branch)) return this.find();
      const place = this.findChild();
      let before = 0;
      for (let next = 0; stryMutAct_9fa48("8802") ? next >= place : stryMutAct_9fa48("8801") ? next <= place : stryMutAct_9fa48("8800") ? false : (stryCov_9fa48("8800", "8801", "8802"), next < place); stryMutAct_9fa48("8803") ? next-- : (stryCov_9fa48("8803"), next++)) stryMutAct_9fa48("8804") ? before -= this.counts[next] as number : (stryCov_9fa48("8804"), before += this.counts[next] as number);
      const within = this.child(place).rank();
      return (stryMutAct_9fa48("8808") ? within >= 0 : stryMutAct_9fa48("8807") ? within <= 0 : stryMutAct_9fa48("8806") ? false : stryMutAct_9fa48("8805") ? true : (stryCov_9fa48("8805", "8806", "8807", "8808"), within < 0)) ? stryMutAct_9fa48("8809") ? within + before : (stryCov_9fa48("8809"), within - before) : stryMutAct_9fa48("8810") ? within - before : (stryCov_9fa48("8810"), within + before);
    }
  }
  add(): boolean {
    if (stryMutAct_9fa48("8811")) {
      {}
    } else {
      stryCov_9fa48("8811");
      if (stryMutAct_9fa48("8814") ? false : stryMutAct_9fa48("8813") ? true : stryMutAct_9fa48("8812") ? this.branch : (stryCov_9fa48("8812", "8813", "8814"), !this.branch)) {
        if (stryMutAct_9fa48("8815")) {
          {}
        } else {
          stryCov_9fa48("8815");
          const found = this.find();
          if (stryMutAct_9fa48("8819") ? found >= 0 : stryMutAct_9fa48("8818") ? found <= 0 : stryMutAct_9fa48("8817") ? false : stryMutAct_9fa48("8816") ? true : (stryCov_9fa48("8816", "8817", "8818", "8819"), found < 0)) this.insert(stryMutAct_9fa48("8820") ? found : (stryCov_9fa48("8820"), ~found), sought, 0, soughtLength);
          return stryMutAct_9fa48("8824") ? found >= 0 : stryMutAct_9fa48("8823") ? found <= 0 : stryMutAct_9fa48("8822") ? false : stryMutAct_9fa48("8821") ? true : (stryCov_9fa48("8821", "8822", "8823", "8824"), found < 0);
        }
      }
      const place = this.findChild();
      const child = this.child(place);
      if (stryMutAct_9fa48("8827") ? false : stryMutAct_9fa48("8826") ? true : stryMutAct_9fa48("8825") ? child.add() : (stryCov_9fa48("8825", "8826", "8827"), !child.add())) return stryMutAct_9fa48("8828") ? true : (stryCov_9fa48("8828"), false);
      this.counts[place] = stryMutAct_9fa48("8829") ? (this.counts[place] as number) - 1 : (stryCov_9fa48("8829"), (this.counts[place] as number) + 1);
      if (stryMutAct_9fa48("8833") ? child.length <= MAX_BLOCK_BYTES : stryMutAct_9fa48("8832") ? child.length >= MAX_BLOCK_BYTES : stryMutAct_9fa48("8831") ? false : stryMutAct_9fa48("8830") ? true : (stryCov_9fa48("8830", "8831", "8832", "8833"), child.length > MAX_BLOCK_BYTES)) this.splitChild(place);
      return stryMutAct_9fa48("8834") ? false : (stryCov_9fa48("8834"), true);
    }
  }

  /** Like `add`, for a search key that comes after all members. */
  addLast(): void {
    if (stryMutAct_9fa48("8835")) {
      {}
    } else {
      stryCov_9fa48("8835");
      if (stryMutAct_9fa48("8838") ? false : stryMutAct_9fa48("8837") ? true : stryMutAct_9fa48("8836") ? this.branch : (stryCov_9fa48("8836", "8837", "8838"), !this.branch)) {
        if (stryMutAct_9fa48("8839")) {
          {}
        } else {
          stryCov_9fa48("8839");
          this.insert(this.count, sought, 0, soughtLength);
          return;
        }
      }
      const place = stryMutAct_9fa48("8840") ? this.count + 1 : (stryCov_9fa48("8840"), this.count - 1);
      const child = this.child(place);
      child.addLast();
      this.counts[place] = stryMutAct_9fa48("8841") ? (this.counts[place] as number) - 1 : (stryCov_9fa48("8841"), (this.counts[place] as number) + 1);
      if (stryMutAct_9fa48("8845") ? child.length <= MAX_BLOCK_BYTES : stryMutAct_9fa48("8844") ? child.length >= MAX_BLOCK_BYTES : stryMutAct_9fa48("8843") ? false : stryMutAct_9fa48("8842") ? true : (stryCov_9fa48("8842", "8843", "8844", "8845"), child.length > MAX_BLOCK_BYTES)) this.splitChild(place);
    }
  }
  remove(): boolean {
    if (stryMutAct_9fa48("8846")) {
      {}
    } else {
      stryCov_9fa48("8846");
      if (stryMutAct_9fa48("8849") ? false : stryMutAct_9fa48("8848") ? true : stryMutAct_9fa48("8847") ? this.branch : (stryCov_9fa48("8847", "8848", "8849"), !this.branch)) {
        if (stryMutAct_9fa48("8850")) {
          {}
        } else {
          stryCov_9fa48("8850");
          const found = this.find();
          if (stryMutAct_9fa48("8854") ? found < 0 : stryMutAct_9fa48("8853") ? found > 0 : stryMutAct_9fa48("8852") ? false : stryMutAct_9fa48("8851") ? true : (stryCov_9fa48("8851", "8852", "8853", "8854"), found >= 0)) this.cut(found);
          return stryMutAct_9fa48("8858") ? found < 0 : stryMutAct_9fa48("8857") ? found > 0 : stryMutAct_9fa48("8856") ? false : stryMutAct_9fa48("8855") ? true : (stryCov_9fa48("8855", "8856", "8857", "8858"), found >= 0);
        }
      }
      const place = this.findChild();
      const child = this.child(place);
      if (stryMutAct_9fa48("8861") ? false : stryMutAct_9fa48("8860") ? true : stryMutAct_9fa48("8859") ? child.remove() : (stryCov_9fa48("8859", "8860", "8861"), !child.remove())) return stryMutAct_9fa48("8862") ? true : (stryCov_9fa48("8862"), false);
      this.counts[place] = stryMutAct_9fa48("8863") ? (this.counts[place] as number) + 1 : (stryCov_9fa48("8863"), (this.counts[place] as number) - 1);
      if (stryMutAct_9fa48("8866") ? child.length < MIN_BLOCK_BYTES || this.count > 1 : stryMutAct_9fa48("8865") ? false : stryMutAct_9fa48("8864") ? true : (stryCov_9fa48("8864", "8865", "8866"), (stryMutAct_9fa48("8869") ? child.length >= MIN_BLOCK_BYTES : stryMutAct_9fa48("8868") ? child.length <= MIN_BLOCK_BYTES : stryMutAct_9fa48("8867") ? true : (stryCov_9fa48("8867", "8868", "8869"), child.length < MIN_BLOCK_BYTES)) && (stryMutAct_9fa48("8872") ? this.count <= 1 : stryMutAct_9fa48("8871") ? this.count >= 1 : stryMutAct_9fa48("8870") ? true : (stryCov_9fa48("8870", "8871", "8872"), this.count > 1)))) this.joinChild(stryMutAct_9fa48("8873") ? Math.max(place, this.count - 2) : (stryCov_9fa48("8873"), Math.min(place, stryMutAct_9fa48("8874") ? this.count + 2 : (stryCov_9fa48("8874"), this.count - 2))));
      return stryMutAct_9fa48("8875") ? false : (stryCov_9fa48("8875"), true);
    }
  }

  /** Appends the members of a range to `into`. Decodes a run at once and slices it: cheaper than one by one. */
  read(from: number, to: number, into: string[]): void {
    if (stryMutAct_9fa48("8876")) {
      {}
    } else {
      stryCov_9fa48("8876");
      if (stryMutAct_9fa48("8878") ? false : stryMutAct_9fa48("8877") ? true : (stryCov_9fa48("8877", "8878"), this.branch)) {
        if (stryMutAct_9fa48("8879")) {
          {}
        } else {
          stryCov_9fa48("8879");
          this.readChildren(from, to, into);
          return;
        }
      }
      const {
        stride
      } = this;
      const text = this.bytes.toString(stryMutAct_9fa48("8880") ? "" : (stryCov_9fa48("8880"), 'latin1'), stryMutAct_9fa48("8881") ? from / stride : (stryCov_9fa48("8881"), from * stride), stryMutAct_9fa48("8882") ? to / stride : (stryCov_9fa48("8882"), to * stride));
      for (let start = 0; stryMutAct_9fa48("8885") ? start >= text.length : stryMutAct_9fa48("8884") ? start <= text.length : stryMutAct_9fa48("8883") ? false : (stryCov_9fa48("8883", "8884", "8885"), start < text.length); stryMutAct_9fa48("8886") ? start -= stride : (stryCov_9fa48("8886"), start += stride)) {
        if (stryMutAct_9fa48("8887")) {
          {}
        } else {
          stryCov_9fa48("8887");
          let end = stryMutAct_9fa48("8888") ? start - stride : (stryCov_9fa48("8888"), start + stride);
          while (stryMutAct_9fa48("8890") ? end > start || text.charCodeAt(end - 1) === 0 : stryMutAct_9fa48("8889") ? false : (stryCov_9fa48("8889", "8890"), (stryMutAct_9fa48("8893") ? end <= start : stryMutAct_9fa48("8892") ? end >= start : stryMutAct_9fa48("8891") ? true : (stryCov_9fa48("8891", "8892", "8893"), end > start)) && (stryMutAct_9fa48("8895") ? text.charCodeAt(end - 1) !== 0 : stryMutAct_9fa48("8894") ? true : (stryCov_9fa48("8894", "8895"), text.charCodeAt(stryMutAct_9fa48("8896") ? end + 1 : (stryCov_9fa48("8896"), end - 1)) === 0)))) stryMutAct_9fa48("8897") ? end++ : (stryCov_9fa48("8897"), end--);
          into.push(stryMutAct_9fa48("8898") ? text : (stryCov_9fa48("8898"), text.substring(start, end)));
        }
      }
    }
  }
  readChildren(from: number, to: number, into: string[]): void {
    if (stryMutAct_9fa48("8899")) {
      {}
    } else {
      stryCov_9fa48("8899");
      let start = 0;
      for (let place = 0; stryMutAct_9fa48("8902") ? start >= to : stryMutAct_9fa48("8901") ? start <= to : stryMutAct_9fa48("8900") ? false : (stryCov_9fa48("8900", "8901", "8902"), start < to); stryMutAct_9fa48("8903") ? place-- : (stryCov_9fa48("8903"), place++)) {
        if (stryMutAct_9fa48("8904")) {
          {}
        } else {
          stryCov_9fa48("8904");
          const end = stryMutAct_9fa48("8905") ? start - (this.counts[place] as number) : (stryCov_9fa48("8905"), start + (this.counts[place] as number));
          if (stryMutAct_9fa48("8909") ? end <= from : stryMutAct_9fa48("8908") ? end >= from : stryMutAct_9fa48("8907") ? false : stryMutAct_9fa48("8906") ? true : (stryCov_9fa48("8906", "8907", "8908", "8909"), end > from)) this.child(place).read(stryMutAct_9fa48("8910") ? Math.max(from, start) + start : (stryCov_9fa48("8910"), (stryMutAct_9fa48("8911") ? Math.min(from, start) : (stryCov_9fa48("8911"), Math.max(from, start))) - start), stryMutAct_9fa48("8912") ? Math.min(to, end) + start : (stryCov_9fa48("8912"), (stryMutAct_9fa48("8913") ? Math.max(to, end) : (stryCov_9fa48("8913"), Math.min(to, end))) - start), into);
          start = end;
        }
      }
    }
  }

  /** Inserts a child under its own first string. */
  adopt(place: number, child: Block): void {
    if (stryMutAct_9fa48("8914")) {
      {}
    } else {
      stryCov_9fa48("8914");
      this.insert(place, child.bytes, 0, child.stride);
      this.children.splice(place, 0, child);
      this.counts.splice(place, 0, child.branch ? child.counts.reduce(stryMutAct_9fa48("8915") ? () => undefined : (stryCov_9fa48("8915"), (sum, count) => stryMutAct_9fa48("8916") ? sum - count : (stryCov_9fa48("8916"), sum + count)), 0) : child.count);
    }
  }

  /** Splits a child in half; one that grows at the end of its parent keeps seven eighths: more will follow there. */
  splitChild(place: number): void {
    if (stryMutAct_9fa48("8917")) {
      {}
    } else {
      stryCov_9fa48("8917");
      const child = this.child(place);
      const ascending = stryMutAct_9fa48("8920") ? place === this.count - 1 || child.findChild() === child.count - 1 : stryMutAct_9fa48("8919") ? false : stryMutAct_9fa48("8918") ? true : (stryCov_9fa48("8918", "8919", "8920"), (stryMutAct_9fa48("8922") ? place !== this.count - 1 : stryMutAct_9fa48("8921") ? true : (stryCov_9fa48("8921", "8922"), place === (stryMutAct_9fa48("8923") ? this.count + 1 : (stryCov_9fa48("8923"), this.count - 1)))) && (stryMutAct_9fa48("8925") ? child.findChild() !== child.count - 1 : stryMutAct_9fa48("8924") ? true : (stryCov_9fa48("8924", "8925"), child.findChild() === (stryMutAct_9fa48("8926") ? child.count + 1 : (stryCov_9fa48("8926"), child.count - 1)))));
      const right = new Block(child.branch);
      right.append(child, stryMutAct_9fa48("8927") ? child.count + (child.count >> (ascending ? 3 : 1)) : (stryCov_9fa48("8927"), child.count - (child.count >> (ascending ? 3 : 1))));
      child.reshape(child.count, child.width(0));
      this.adopt(stryMutAct_9fa48("8928") ? place - 1 : (stryCov_9fa48("8928"), place + 1), right);
      this.counts[place] = stryMutAct_9fa48("8929") ? (this.counts[place] as number) + (this.counts[place + 1] as number) : (stryCov_9fa48("8929"), (this.counts[place] as number) - (this.counts[place + 1] as number));
    }
  }

  /** Merges a child with the next one; if the result is too large, splits it evenly. */
  joinChild(place: number): void {
    if (stryMutAct_9fa48("8930")) {
      {}
    } else {
      stryCov_9fa48("8930");
      const [left, right] = stryMutAct_9fa48("8931") ? [] : (stryCov_9fa48("8931"), [this.child(place), this.child(stryMutAct_9fa48("8932") ? place - 1 : (stryCov_9fa48("8932"), place + 1))]);
      left.append(right, 0);
      this.cut(stryMutAct_9fa48("8933") ? place - 1 : (stryCov_9fa48("8933"), place + 1));
      this.children.splice(stryMutAct_9fa48("8934") ? place - 1 : (stryCov_9fa48("8934"), place + 1), 1);
      this.counts[place] = stryMutAct_9fa48("8935") ? (this.counts[place] as number) - (this.counts.splice(place + 1, 1)[0] as number) : (stryCov_9fa48("8935"), (this.counts[place] as number) + (this.counts.splice(place + 1, 1)[0] as number));
      if (stryMutAct_9fa48("8939") ? left.length <= MAX_BLOCK_BYTES : stryMutAct_9fa48("8938") ? left.length >= MAX_BLOCK_BYTES : stryMutAct_9fa48("8937") ? false : stryMutAct_9fa48("8936") ? true : (stryCov_9fa48("8936", "8937", "8938", "8939"), left.length > MAX_BLOCK_BYTES)) this.splitChild(place);
    }
  }

  /** Moves the strings of another block, from an index on, to the end of this one. */
  append(other: Block, from: number): void {
    if (stryMutAct_9fa48("8940")) {
      {}
    } else {
      stryCov_9fa48("8940");
      const {
        count
      } = this;
      this.reserve(stryMutAct_9fa48("8941") ? count + other.count + from : (stryCov_9fa48("8941"), (stryMutAct_9fa48("8942") ? count - other.count : (stryCov_9fa48("8942"), count + other.count)) - from), stryMutAct_9fa48("8943") ? Math.min(this.stride, other.width(from)) : (stryCov_9fa48("8943"), Math.max(this.stride, other.width(from))));
      copyRows(other, from, this.bytes, count, this.stride);
      stryMutAct_9fa48("8944") ? this.count -= other.count - from : (stryCov_9fa48("8944"), this.count += stryMutAct_9fa48("8945") ? other.count + from : (stryCov_9fa48("8945"), other.count - from));
      other.count = from;
      this.children.push(...other.children.splice(from));
      this.counts.push(...other.counts.splice(from));
    }
  }
  insert(place: number, text: Uint8Array, start: number, length: number): void {
    if (stryMutAct_9fa48("8946")) {
      {}
    } else {
      stryCov_9fa48("8946");
      const {
        count
      } = this;
      this.reserve(stryMutAct_9fa48("8947") ? count - 1 : (stryCov_9fa48("8947"), count + 1), stryMutAct_9fa48("8948") ? Math.min(this.stride, length) : (stryCov_9fa48("8948"), Math.max(this.stride, length)));
      const {
        bytes,
        stride
      } = this;
      const at = stryMutAct_9fa48("8949") ? place / stride : (stryCov_9fa48("8949"), place * stride);
      bytes.copyWithin(stryMutAct_9fa48("8950") ? at - stride : (stryCov_9fa48("8950"), at + stride), at, stryMutAct_9fa48("8951") ? count / stride : (stryCov_9fa48("8951"), count * stride));
      for (let next = 0; stryMutAct_9fa48("8954") ? next >= stride : stryMutAct_9fa48("8953") ? next <= stride : stryMutAct_9fa48("8952") ? false : (stryCov_9fa48("8952", "8953", "8954"), next < stride); stryMutAct_9fa48("8955") ? next-- : (stryCov_9fa48("8955"), next++)) bytes[stryMutAct_9fa48("8956") ? at - next : (stryCov_9fa48("8956"), at + next)] = (stryMutAct_9fa48("8960") ? next >= length : stryMutAct_9fa48("8959") ? next <= length : stryMutAct_9fa48("8958") ? false : stryMutAct_9fa48("8957") ? true : (stryCov_9fa48("8957", "8958", "8959", "8960"), next < length)) ? text[start + next] as number : 0;
      stryMutAct_9fa48("8961") ? this.count-- : (stryCov_9fa48("8961"), this.count++);
    }
  }
  cut(place: number): void {
    if (stryMutAct_9fa48("8962")) {
      {}
    } else {
      stryCov_9fa48("8962");
      const {
        bytes,
        stride
      } = this;
      bytes.copyWithin(stryMutAct_9fa48("8963") ? place / stride : (stryCov_9fa48("8963"), place * stride), stryMutAct_9fa48("8964") ? (place + 1) / stride : (stryCov_9fa48("8964"), (stryMutAct_9fa48("8965") ? place - 1 : (stryCov_9fa48("8965"), place + 1)) * stride), this.length);
      stryMutAct_9fa48("8966") ? this.count++ : (stryCov_9fa48("8966"), this.count--);
    }
  }

  /** Ensures capacity for this many strings of this width. */
  reserve(count: number, stride: number): void {
    if (stryMutAct_9fa48("8967")) {
      {}
    } else {
      stryCov_9fa48("8967");
      if (stryMutAct_9fa48("8970") ? stride !== this.stride && count * stride > this.bytes.length : stryMutAct_9fa48("8969") ? false : stryMutAct_9fa48("8968") ? true : (stryCov_9fa48("8968", "8969", "8970"), (stryMutAct_9fa48("8972") ? stride === this.stride : stryMutAct_9fa48("8971") ? false : (stryCov_9fa48("8971", "8972"), stride !== this.stride)) || (stryMutAct_9fa48("8975") ? count * stride <= this.bytes.length : stryMutAct_9fa48("8974") ? count * stride >= this.bytes.length : stryMutAct_9fa48("8973") ? false : (stryCov_9fa48("8973", "8974", "8975"), (stryMutAct_9fa48("8976") ? count / stride : (stryCov_9fa48("8976"), count * stride)) > this.bytes.length)))) this.reshape(count, stride);
    }
  }

  /** Reallocates with capacity for this many strings of this width. */
  reshape(count: number, stride: number): void {
    if (stryMutAct_9fa48("8977")) {
      {}
    } else {
      stryCov_9fa48("8977");
      const bytes = Buffer.alloc(stryMutAct_9fa48("8978") ? Math.ceil(count * stride / STEP_BYTES) / STEP_BYTES : (stryCov_9fa48("8978"), Math.ceil(stryMutAct_9fa48("8979") ? count * stride * STEP_BYTES : (stryCov_9fa48("8979"), (stryMutAct_9fa48("8980") ? count / stride : (stryCov_9fa48("8980"), count * stride)) / STEP_BYTES)) * STEP_BYTES));
      if (stryMutAct_9fa48("8983") ? stride !== this.stride : stryMutAct_9fa48("8982") ? false : stryMutAct_9fa48("8981") ? true : (stryCov_9fa48("8981", "8982", "8983"), stride === this.stride)) bytes.set(this.bytes.subarray(0, this.length));else copyRows(this, 0, bytes, 0, stride);
      this.bytes = bytes;
      this.stride = stride;
    }
  }

  /** Length of the longest string from an index on. */
  width(from: number): number {
    if (stryMutAct_9fa48("8984")) {
      {}
    } else {
      stryCov_9fa48("8984");
      const {
        bytes,
        stride
      } = this;
      let width = 1;
      for (let end = stryMutAct_9fa48("8985") ? (from + 1) / stride : (stryCov_9fa48("8985"), (stryMutAct_9fa48("8986") ? from - 1 : (stryCov_9fa48("8986"), from + 1)) * stride); stryMutAct_9fa48("8989") ? end > this.length : stryMutAct_9fa48("8988") ? end < this.length : stryMutAct_9fa48("8987") ? false : (stryCov_9fa48("8987", "8988", "8989"), end <= this.length); stryMutAct_9fa48("8990") ? end -= stride : (stryCov_9fa48("8990"), end += stride)) {
        if (stryMutAct_9fa48("8991")) {
          {}
        } else {
          stryCov_9fa48("8991");
          while (stryMutAct_9fa48("8993") ? width < stride || bytes[end - stride + width] !== 0 : stryMutAct_9fa48("8992") ? false : (stryCov_9fa48("8992", "8993"), (stryMutAct_9fa48("8996") ? width >= stride : stryMutAct_9fa48("8995") ? width <= stride : stryMutAct_9fa48("8994") ? true : (stryCov_9fa48("8994", "8995", "8996"), width < stride)) && (stryMutAct_9fa48("8998") ? bytes[end - stride + width] === 0 : stryMutAct_9fa48("8997") ? true : (stryCov_9fa48("8997", "8998"), bytes[stryMutAct_9fa48("8999") ? end - stride - width : (stryCov_9fa48("8999"), (stryMutAct_9fa48("9000") ? end + stride : (stryCov_9fa48("9000"), end - stride)) + width)] !== 0)))) stryMutAct_9fa48("9001") ? width-- : (stryCov_9fa48("9001"), width++);
        }
      }
      return width;
    }
  }
}

/** Copies a block's strings, from an index on, into rows of another stride, from a row on. */
function copyRows(block: Block, from: number, into: Uint8Array, row: number, stride: number): void {
  if (stryMutAct_9fa48("9002")) {
    {}
  } else {
    stryCov_9fa48("9002");
    const {
      bytes,
      length
    } = block;
    const least = stryMutAct_9fa48("9003") ? Math.max(stride, block.stride) : (stryCov_9fa48("9003"), Math.min(stride, block.stride));
    let to = stryMutAct_9fa48("9004") ? row / stride : (stryCov_9fa48("9004"), row * stride);
    for (let start = stryMutAct_9fa48("9005") ? from / block.stride : (stryCov_9fa48("9005"), from * block.stride); stryMutAct_9fa48("9008") ? start >= length : stryMutAct_9fa48("9007") ? start <= length : stryMutAct_9fa48("9006") ? false : (stryCov_9fa48("9006", "9007", "9008"), start < length); stryMutAct_9fa48("9009") ? start -= block.stride : (stryCov_9fa48("9009"), start += block.stride)) {
      if (stryMutAct_9fa48("9010")) {
        {}
      } else {
        stryCov_9fa48("9010");
        for (let next = 0; stryMutAct_9fa48("9013") ? next >= least : stryMutAct_9fa48("9012") ? next <= least : stryMutAct_9fa48("9011") ? false : (stryCov_9fa48("9011", "9012", "9013"), next < least); stryMutAct_9fa48("9014") ? next-- : (stryCov_9fa48("9014"), next++)) into[stryMutAct_9fa48("9015") ? to - next : (stryCov_9fa48("9015"), to + next)] = bytes[start + next] as number;
        into.fill(0, stryMutAct_9fa48("9016") ? to - least : (stryCov_9fa48("9016"), to + least), stryMutAct_9fa48("9017") ? to - stride : (stryCov_9fa48("9017"), to + stride));
        stryMutAct_9fa48("9018") ? to -= stride : (stryCov_9fa48("9018"), to += stride);
      }
    }
  }
}