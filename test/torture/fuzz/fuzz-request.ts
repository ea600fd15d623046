/** Who asks: what the site makes of the cookie or token that comes along. */
export type Person =
  | 'visitor'
  | 'member'
  | 'other'
  | 'admin'
  | 'banned'
  | 'ended'
  | 'upload-token'
  | 'read-token'
  | 'nonsense'

/** Those who may do most ask most often, as the others are soon refused. */
export const PEOPLE: readonly Person[] = [
  ...repeat('member', 7),
  ...repeat('admin', 6),
  ...repeat('visitor', 3),
  ...repeat('other', 2),
  'banned',
  'ended',
  'upload-token',
  'read-token',
  'nonsense',
]

function repeat(person: Person, times: number): Person[] {
  return Array.from({ length: times }, () => person)
}

export type FuzzRequest = {
  /** What is called, for the report: 'POST /api/comments', 'video.get'. */
  label: string
  as: Person
  method: string
  /** As it stands in the request line: printable ASCII. */
  target: string
  headers: [string, string][]
  body?: Buffer
  /** In the place of all of the above: sent on a connection of its own as they are. */
  bytes?: Buffer
  /** The client is gone before the answer, or before all was sent; then none is expected. */
  hangsUp?: boolean
}

/** A request of which it is not said yet who asks. */
export type Unsent = Omit<FuzzRequest, 'as'>

/** The beginning of some bytes. */
export const cutOff = (bytes: Buffer, at: number) => bytes.subarray(0, at % (bytes.length + 1))

export const isProcedureCall = ({ target }: FuzzRequest) => /^\/trpc(\/|\?|$)/.test(target)
