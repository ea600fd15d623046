/** A line to a port of loopback, in a process of its own: at 1 Gb/s it needs a processor. */
import { openShapedLine } from '../shaped-line.ts'

const [ownPort = 0, port = 0, bytesPerSecond = 0, roundTripMs = 0] = process.argv
  .slice(2)
  .map(Number)
await openShapedLine(port, { bytesPerSecond, roundTripMs }, ownPort)
