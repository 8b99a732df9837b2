// Reads manifests of kinds that Kubernetes itself does not know into the types of the projects that
// define them; a field that they do not have is an error. Files are streams of YAML documents.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	yamlstream "k8s.io/apimachinery/pkg/util/yaml"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func() any{
	"gateway.networking.k8s.io/v1 GRPCRoute":  func() any { return new(gateway.GRPCRoute) },
	"monitoring.coreos.com/v1 PrometheusRule": func() any { return new(monitoring.PrometheusRule) },
	"monitoring.coreos.com/v1 ServiceMonitor": func() any { return new(monitoring.ServiceMonitor) },
}

func check(path string) (checked int, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	documents := yamlstream.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
	defer documents.Close()
	for buffer := make([]byte, len(text)+1); ; {
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			return checked, nil
		}
		if err != nil {
			return checked, err
		}
		var meta v1.TypeMeta
		if err := yaml.Unmarshal(buffer[:n], &meta); err != nil {
			return checked, err
		}
		typed, known := kinds[meta.APIVersion+" "+meta.Kind]
		if !known {
			continue
		}
		if err := yaml.UnmarshalStrict(buffer[:n], typed()); err != nil {
			return checked, fmt.Errorf("%s: %w", meta.Kind, err)
		}
		checked++
	}
}

func main() {
	total := 0
	for _, path := range os.Args[1:] {
		checked, err := check(path)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			os.Exit(1)
		}
		total += checked
	}
	fmt.Printf("%d custom resources fit their types\n", total)
	if total == 0 {
		os.Exit(1)
	}
}
