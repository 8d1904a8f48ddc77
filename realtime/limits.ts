// Every limit of the rooms that is not a game's own setting. Limits of stored data, such as the lease of a member and
// the messages kept for `since`, are in stores/contract/rooms.ts.

// Connection admission.

/** Connections to one node. A quiet one takes tens of KiB, one whose client does not read up to 2 MiB. */
export const SOCKETS_PER_NODE = 20_000
/** Connections to one node from one network address; not limited with RATE_LIMITS=off. */
export const SOCKETS_PER_ADDRESS = 2_000
export const SOCKETS_PER_PLAYER = 20
export const RETRY_AFTER_SECONDS = 5
/** Every ticket is shorter. */
export const TICKET_MAX_CHARACTERS = 128
/** Timeout of the API call that redeems a ticket, if the API is another process. */
export const REDEEM_MAX_MS = 5_000
export const MAX_CACHED_ORIGINS = 1_000
export const ORIGIN_CACHED_MS = 10_000
export const CONNECT_MAX_MS = 10_000
/** Time for a polling connection to complete its upgrade to a WebSocket. */
export const UPGRADE_MAX_MS = 10_000
export const PING_EVERY_MS = 25_000
export const PONG_WITHIN_MS = 20_000

// What one connection may send.

/** Largest frame that is read: the largest allowed message, escaped, with its envelope. */
export const FRAME_MAX_BYTES = 524_288
/** Frames of one connection that are read in one turn of the event loop. */
export const FRAMES_PER_TURN = 64
/** Packets in one POST of a polling client: as many as it could send before it is cut for flooding. */
export const PACKETS_PER_POST_MAX = 5_000
export const POST_CHUNKS_MAX = 2_048
export const POST_WITHIN_MS = 10_000
/** POST bodies of one network address that are read at once. */
export const POSTS_PER_NETWORK = 256
export const POST_FIRST_BYTES = 4_096
/** Fragments of one WebSocket message, and chunks in which one frame arrives. */
export const FRAGMENTS_MAX = 256
export const FRAME_CHUNKS_MAX = 2_048
/** Totals that a connection may send before it joins the namespace; they leave room for one full POST. */
export const EARLY_PACKETS_MAX = 6_000
export const EARLY_MAX_BYTES = 131_072
/** A WebSocket that belongs to no joined connection after this time is closed. */
export const EARLY_WITHIN_MS = 20_000
/** Bytes received and not read yet: incomplete frames and bodies, and queued frames. */
export const RECEIVED_PER_NETWORK_BYTES = 33_554_432
export const RECEIVED_PER_NODE_BYTES = 134_217_728
/** Memory of a queued frame beside its bytes. */
export const WAITING_FRAME_BYTES = 256
/** Frames per second of one network address on one node; over it, reading pauses. Not limited with RATE_LIMITS=off. */
export const FRAMES_PER_NETWORK = 20_000
export const FRAMES_PER_NETWORK_AT_ONCE = 40_000
/** Work per second of one network address on one node, in units of about 0.1 ms; over it, events get `too_fast`. */
export const WORK_PER_NETWORK = 1_000
export const WORK_PER_NETWORK_AT_ONCE = 10_000
/** Work of an event that is not a message; those not listed cost 1. */
export const EVENT_WORK: Readonly<Record<string, number>> = { rooms: 2, create: 5, join: 5, listen: 5, watch: 5 }
export const SEARCH_WORK = 20
export const MAX_CACHED_NETWORKS = 65_536
/** Burst of a connection's rate, in seconds of that rate. */
export const BURST_SECONDS = 2
/** Events per second that are no messages, such as lists, joins and watches. */
export const OTHERS_PER_SECOND = 20
/** Searches for rooms per second; each one scans all listed rooms of the game. */
export const SEARCHES_PER_SECOND = 2
/** Attempts to join or create a room, of one connection within ATTEMPTS_WITHIN_MS. */
export const ATTEMPTS_MAX = 30
export const ATTEMPTS_WITHIN_MS = 10_000
/** A connection that sends FLOOD_FACTOR times its rate for FLOOD_MS is cut. */
export const FLOOD_FACTOR = 10
export const FLOOD_MS = 5_000
/**
 * Of a second's maximum (FLOOD_FACTOR times the rate), a quarter may come at once, the rest spread over
 * HASTY_SPREAD_MS. If frames arrive faster, reading pauses for HASTY_PAUSE_MS.
 */
export const HASTY_PART_AT_ONCE = 0.25
export const HASTY_SPREAD_MS = 500
export const HASTY_PAUSE_MS = 50
/** Events of one connection that are being answered; more are refused. */
export const PENDING_EVENTS_MAX = 256
export const ROOMS_PER_SOCKET = 32
/** Open rooms created by one player; fixed rooms do not count. For network addresses the operator sets the limit. */
export const ROOMS_PER_PLAYER = 5
/** Connections that hear one room without a seat, on all nodes: each is sent every message of the room. */
export const LISTENERS_PER_ROOM = 100
export const WATCHES_PER_SOCKET = 8

// Seats whose connections may have been lost. stores/contract/rooms.ts has when one may be taken over.

/** A seat is freed if its connection does not answer for this long. Longer than a join waits, which comes first. */
export const SEAT_ANSWER_MAX_MS = 5_000
/** How long a join of a full room waits for a seat of the same player, and the time between its attempts. */
export const JOIN_WAIT_MAX_MS = 4_700
export const JOIN_AGAIN_EVERY_MS = 200
/** Joins that wait so: of one connection, and of one player on one node. */
export const WAITING_JOINS_PER_SOCKET = 2
export const WAITING_JOINS_PER_PLAYER = 8

// Contents of events.

export const ROOM_SIZE_MAX = 1_000
/** Maximum characters of an unknown event name that the refusal repeats. */
export const EVENT_NAME_SHOWN_MAX_CHARACTERS = 64
export const LIST_LIMIT_DEFAULT = 20
export const LIST_LIMIT_MAX = 100
export const LIST_OFFSET_MAX = 1_000_000_000
export const BOARD_TOP_DEFAULT = 10
export const BOARD_TOP_MAX = 100

// Slow consumers.

/** Bytes in this process that a client has not taken, beside those in kernel buffers, before it is cut. */
export const UNSENT_MAX_BYTES = 1_835_008
/** The same for polling clients, whose last poll answer may contain as much again. */
export const UNSENT_POLLING_MAX_BYTES = 917_504
/** Bytes written to the TCP socket at a time. The rest waits for its drain, and reading pauses meanwhile. */
export const SOCKET_BUFFER_MAX_BYTES = 262_144
/** A connection with unsent bytes is cut if none of them was sent for this long. */
export const STALLED_MAX_MS = 4_000
export const STALL_CHECK_EVERY_MS = 250
/** A ping follows every PROBE_EVERY_BYTES. A client is also cut if OPEN_PINGS_MAX stay open for STALLED_MAX_MS. */
export const PROBE_EVERY_BYTES = 65_536
export const OPEN_PINGS_MAX = 4
/** While reading from a client is paused its pongs cannot arrive: open pings then count only after this stall. */
export const PAUSED_STALLED_MAX_MS = 1_000

// How changes are sent.

export const FLUSH_INTERVAL_MS = 5
/** The interval grows to this many times the duration of the last flush, up to FLUSH_INTERVAL_MAX_MS. */
export const FLUSH_INTERVAL_FACTOR = 8
export const FLUSH_INTERVAL_MAX_MS = 20
/** A room with more unsent text than this is flushed at once. In UTF-16 units. */
export const ROOM_BATCH_MAX_BYTES = 131_072
/** In a room with more members than this, joins and leaves are sent in batches. */
export const PRESENCE_AT_ONCE_MEMBERS = 32
export const PRESENCE_EVERY_MS = 50
export const BOARD_UPDATES_PER_SECOND = 4
/** Time between two reads of a watched board. Slightly over 250 ms, so that late timers do not exceed the rate. */
export const BOARD_EVERY_MS = 260

// Revocations.

/** Time between checks of all connections, which find revocations whose notice was lost. */
export const REVOKED_CHECK_EVERY_MS = 30_000
/** A connection named in a revocation is cut if its check stays undecided for this long. */
export const UNDECIDED_MAX_MS = 1_000
/**
 * A node that has received no revocation state for STALE_MAX_MS cuts all connections, provided that the process was
 * active for STALE_WATCHED_MS of that time.
 */
export const STALE_MAX_MS = 2_000
export const STALE_WATCHED_MS = 900
export const REVOCATION_TIMER_MS = 100
/** Checks of connections in one call to the store, and the pause before a failed call is repeated. */
export const CHECKS_PER_CALL = 200
export const CHECK_RETRY_MS = 100
/** Time between reads of the room settings of games with connections on this node. */
export const SETTINGS_READ_EVERY_MS = 1_000
/** Time for the last data of a closing connection or server to be sent. */
export const CLOSING_MAX_MS = 1_000
export const CLOSING_CHECK_EVERY_MS = 10
