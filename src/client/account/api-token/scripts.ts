type Access = { origin: string; token: string }

/** A custom uploader for ShareX (https://getsharex.com/docs/custom-uploader): one form with one file. */
export function shareXConfiguration({ origin, token }: Access): string {
  const configuration = {
    Version: '15.0.0',
    Name: `Clutch (${new URL(origin).host})`,
    DestinationType: 'FileUploader',
    RequestMethod: 'POST',
    RequestURL: `${origin}/api/uploads/file`,
    Headers: { Authorization: `Bearer ${token}` },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{json:url}',
    ErrorMessage: '{response}',
  }
  return `${JSON.stringify(configuration, null, 2)}\n`
}

export function curlCommand({ origin, token }: Access): string {
  return `curl -H "Authorization: Bearer ${token}" -F title="Last night" -F file=@replay.mp4 ${origin}/api/uploads/file`
}

/** curl comes with Windows; the newest file of a folder is what OBS has just saved. */
export function powerShellCommand({ origin, token }: Access): string {
  return `$clip = Get-ChildItem "$HOME\\Videos" -File | Sort-Object LastWriteTime | Select-Object -Last 1; curl.exe -H "Authorization: Bearer ${token}" -F "file=@$($clip.FullName)" ${origin}/api/uploads/file`
}
