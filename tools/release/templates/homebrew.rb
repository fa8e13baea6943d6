class Memctl < Formula
  desc "{{.Summary}}"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "MIT"
{{range $os := .Systems}}{{if ne $os "windows"}}
  on_{{if eq $os "darwin"}}macos{{else}}{{$os}}{{end}} do
{{- range $.For $os}}
    on_{{if eq .Arch "arm64"}}arm{{else}}intel{{end}} do
      url "{{.URL}}"
      sha256 "{{.SHA256}}"
    end
{{- end}}
  end
{{end}}{{end}}
  def install
    bin.install {{range $i, $name := .Programs}}{{if $i}}, {{end}}"{{$name}}"{{end}}
    man1.install "man/memctl.1"
    bash_completion.install "completions/memctl.bash" => "memctl"
    zsh_completion.install "completions/_memctl"
    fish_completion.install "completions/memctl.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/memctl --version")
  end
end
