# Installs cb @VERSION@ on Windows without administrator rights:   ./install.ps1 [-Dir FOLDER] [-Uninstall]
param([string] $Dir = "$env:LOCALAPPDATA\Programs\cb", [switch] $Uninstall)
$ErrorActionPreference = 'Stop'
# Otherwise the progress bar makes downloads many times slower.
$ProgressPreference = 'SilentlyContinue'

function Set-InPath([bool] $Wanted) {
  $others = @([Environment]::GetEnvironmentVariable('Path', 'User') -split ';' | Where-Object { $_ -and $_ -ne $Dir })
  $all = if ($Wanted) { $others + $Dir } else { $others }
  [Environment]::SetEnvironmentVariable('Path', ($all -join ';'), 'User')
}

$program = Join-Path $Dir 'cb.exe'
if ($Uninstall) {
  if (-not (Test-Path $program)) { throw "There is no cb.exe in $Dir." }
  Remove-Item $program
  Set-InPath $false
  Write-Output "Removed $program. Profiles and data stay; docs/guide/install.md names their folders."
  return
}

if (Test-Path $program) {
  $installed = & $program --version
  if ([version] $installed -gt [version] '@VERSION@') {
    Write-Output "cb $installed in $Dir is newer than @VERSION@. Nothing was changed."
    return
  }
}
New-Item -ItemType Directory -Force $Dir | Out-Null
$work = Join-Path $Dir ".install-$PID"
New-Item -ItemType Directory $work | Out-Null
try {
  $archive = Join-Path $work '@WINDOWS_ARCHIVE@'
  Invoke-WebRequest -UseBasicParsing '@URL@/@WINDOWS_ARCHIVE@' -OutFile $archive
  if ((Get-FileHash -Algorithm SHA256 $archive).Hash -ne '@WINDOWS_SHA256@') {
    throw 'The downloaded file is damaged or not the released one (its SHA-256 differs). Nothing was changed.'
  }
  Expand-Archive $archive $work
  $new = Join-Path $work 'cb.exe'
  if ((& $new --version) -ne '@VERSION@') { throw "cb doesn't run on this system. Nothing was changed." }
  # Windows can rename a running program, but not replace it.
  if (Test-Path $program) { Move-Item -Force $program (Join-Path $work 'old.exe') }
  Move-Item $new $program
} finally {
  Remove-Item -Recurse -Force $work -ErrorAction SilentlyContinue
}
Set-InPath $true
Write-Output "Installed cb @VERSION@ as $program. Open a new terminal and try: cb --sandbox today"
